//~ valid-memcleanup violated
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The program ends at the error, with an object that is not freed.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
  int *p = malloc(sizeof(int));
  reach_error();
  free(p);
  return 0;
}
