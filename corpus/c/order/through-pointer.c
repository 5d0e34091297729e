//~ unreach-call violated
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The callee reaches a local variable of its caller.
extern void reach_error(void);

static int set(int *p) { *p = 5; return 1; }

int main(void) {
  int x = 0;
  int sum = set(&x) + x;
  if (sum == 1)
    reach_error();
  return 0;
}
