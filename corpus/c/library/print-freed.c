//~ valid-deref violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, kind-bv
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(2);
  if (!p)
    return 0;
  p[0] = 'a';
  p[1] = 0;
  free(p);
  printf("%d %s\n", 1, p);
  return 0;
}
