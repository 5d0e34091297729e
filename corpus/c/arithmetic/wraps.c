//~ unreach-call holds
//~ overflow holds
//@ decided-by unreach-call: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by overflow: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Unsigned arithmetic wraps for every value; that is no overflow.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert(x + 1 > x || x + 1 == 0);
  assert(x - x == 0);
  assert(x * 2 == x << 1);
  return 0;
}
