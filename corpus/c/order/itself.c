//~ sequencing violated
//@ decided-by: bmc, bmc-bv
// A pointer that points to itself is moved and overwritten.
int main(void) {
  char *p = (char *)&p;
  *p++ = 1;
  return 0;
}
