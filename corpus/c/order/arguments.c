//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Arguments are evaluated in any order.
extern void reach_error(void);

static int next_id;
static int fresh(void) { return ++next_id; }
static int first(int a, int b) { return a < b; }

int main(void) {
  if (!first(fresh(), fresh()))
    reach_error();
  return 0;
}
