//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
// A string literal must not be written.
int main(void) {
  char *text = "abc";
  text[0] = 'x';
  return 0;
}
