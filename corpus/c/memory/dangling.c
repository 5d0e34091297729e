//~ memory-safety violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv, kind-bv
// The object of a block is gone when the block is left.
int main(void) {
  int *p;
  {
    int x = 3;
    p = &x;
  }
  return *p;
}
