//~ unreach-call violated
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Two calls have an order, but nobody knows which.
extern void reach_error(void);

static int state;
static int add(void) { return state += 1; }
static int twice(void) { return state *= 2; }

int main(void) {
  state = 3;
  int sum = add() + twice();
  // 4 + 8 from the left, 7 + 6 from the right.
  if (sum == 13)
    reach_error();
  return 0;
}
