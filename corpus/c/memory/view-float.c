//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv
// As view-float-safe.c, with a number whose sign is the other one.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned bits = __VERIFIER_nondet_uint();
  float x;
  memcpy(&x, &bits, sizeof x);
  if (x == -0.15625f)
    reach_error();
  return 0;
}
