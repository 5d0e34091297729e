//~ memory-safety violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  if (__VERIFIER_nondet_int() > 3)
    free(p);
  free(p);
  return 0;
}
