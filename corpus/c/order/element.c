//~ unreach-call violated
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The address of an element leaves the function, and with it the array.
extern void reach_error(void);

static int set(int *p) { *p = 5; return 1; }

int main(void) {
  int a[2] = {0, 0};
  int sum = set(&a[1]) + a[1];
  if (sum == 1)
    reach_error();
  return 0;
}
