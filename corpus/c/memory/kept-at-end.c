//~ valid-memtrack violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, ase-bv, bmc-bv, cegar-bv, pdr-bv
// As kept-at-end-safe.c, with a pointer that is overwritten last and read by nobody.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  *kept = __VERIFIER_nondet_int();
  if (*kept)
    kept = 0;
  return 0;
}
