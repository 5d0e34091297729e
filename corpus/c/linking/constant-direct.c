//~ valid-deref violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The same on the spot.
static const int limit = 1;

int main(void) {
  *(int *)&limit = 2;
  return 0;
}
