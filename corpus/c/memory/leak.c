//~ valid-memtrack violated
//~ valid-memcleanup violated
//~ valid-deref holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, ase-bv, bmc-bv, cegar-bv, pdr-bv
//@ decided-by valid-memcleanup: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by valid-deref: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = malloc(8);
  free(p);
  return 0;
}
