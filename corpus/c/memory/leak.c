//~ valid-memtrack violated
//~ valid-memcleanup violated
//~ valid-deref holds
//@ decided-by valid-memcleanup: ase, ase-bv, bmc, bmc-bv
//@ decided-by valid-deref: ase, ase-bv, bmc, bmc-bv
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = malloc(8);
  free(p);
  return 0;
}
