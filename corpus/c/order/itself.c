//~ sequencing violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A pointer that points to itself is moved and overwritten.
int main(void) {
  char *p = (char *)&p;
  *p++ = 1;
  return 0;
}
