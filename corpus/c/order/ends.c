//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// From the left the program ends before it fails.
#include <stdlib.h>
extern void reach_error(void);

static int leave(void) { exit(0); }
static int fail(void) { reach_error(); return 1; }

int main(void) {
  return leave() + fail();
}
