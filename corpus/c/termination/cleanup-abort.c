//~ valid-memcleanup violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// So do `abort` and `exit`.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof(int));
  if (__VERIFIER_nondet_int() == 7)
    abort();
  free(p);
  return 0;
}
