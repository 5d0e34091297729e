//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Some functions run before `main`, in the order of their numbers; those
// without one come last.
extern void reach_error(void);
static int order;

__attribute__((constructor)) static void last(void) { order = order * 10 + 3; }
__attribute__((constructor(201))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }

int main(void) {
  if (order == 123)
    reach_error();
  return 0;
}
