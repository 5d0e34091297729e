//~ valid-free violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Memory from alloca is not the heap's to free.
#include <stdlib.h>

int main(void) {
  int *p = __builtin_alloca(sizeof(int));
  free(p);
  return 0;
}
