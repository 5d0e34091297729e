//~ memory-safety violated
//@ decided-by: ase, ase-bv, bmc, bmc-bv
// The object of a block is gone when the block is left.
int main(void) {
  int *p;
  {
    int x = 3;
    p = &x;
  }
  return *p;
}
