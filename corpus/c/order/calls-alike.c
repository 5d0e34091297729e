//~ unreach-call holds
//~ sequencing holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The result is the same in both orders.
extern void reach_error(void);

static int state;
static int add(void) { return state += 1; }
static int twice(void) { return state *= 2; }

int main(void) {
  state = 3;
  int sum = add() + twice();
  if ((sum != 12 || state != 8) && (sum != 13 || state != 7))
    reach_error();
  return 0;
}
