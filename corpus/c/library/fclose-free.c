//~ valid-free violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A stream is closed, not freed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *f = fopen("name", "w");
  free(f);
  return 0;
}
