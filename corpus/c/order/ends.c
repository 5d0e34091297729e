//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// From the left the program ends before it fails.
#include <stdlib.h>
extern void reach_error(void);

static int leave(void) { exit(0); }
static int fail(void) { reach_error(); return 1; }

int main(void) {
  return leave() + fail();
}
