//~ unreach-call violated
//~ overflow violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
//@ native overflow: no, compilers take the condition for true
// When overflow is not asked for, signed arithmetic wraps.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x + 1 > x);
  return 0;
}
