//~ sequencing violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Arguments have no order; the call comes after all of them.
static int first(int x, int y) {
  return x + 0 * y;
}

int main(void) {
  int i = 1;
  return first(i++, i);
}
