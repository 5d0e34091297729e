//~ valid-memcleanup holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Everything is freed before each end. An assumption that does not hold is no
// end: nobody asks about such runs.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int *p = malloc(sizeof(int));
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3);
  free(p);
  if (x == 7)
    abort();
  assert(x != 8);
  return 0;
}
