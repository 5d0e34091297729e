//~ unreach-call holds
//~ division violated
//@ decided-by unreach-call: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by division: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A run that divides by zero ends there: the assertion behind it is not reached.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int d = __VERIFIER_nondet_int();
  int q = 100 % d;
  assert(d != 0);
  return q;
}
