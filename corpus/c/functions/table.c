//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv
// A table of functions with a hole that no call falls into: the proof also
// shows that nothing else is called, and its evidence says so.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int one(int x) { return x + 1; }
static int two(int x) { return x + 2; }

static int (*const table[3])(int) = {one, two, 0};

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  if (table[i](0) > 2)
    reach_error();
  return 0;
}
