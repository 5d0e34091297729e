//~ valid-memtrack holds
//~ memory-cleanup violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
//@ decided-by valid-memtrack: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv
// What a static pointer leads to at the end is not lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;

int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int())
    kept = p;
  else
    free(p);
  return 0;
}
