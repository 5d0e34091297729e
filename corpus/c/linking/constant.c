//~ valid-deref violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A constant is written through a pointer that forgot it.
static const int table[2] = {1, 2};
static void put(int *p) { *p = 3; }

int main(void) {
  put((int *)&table[1]);
  return 0;
}
