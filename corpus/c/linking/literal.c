//~ valid-deref violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A string literal must not be written.
int main(void) {
  char *text = "abc";
  text[0] = 'x';
  return 0;
}
