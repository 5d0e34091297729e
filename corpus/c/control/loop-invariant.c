//~ unreach-call holds
//~ overflow holds
//@ decided-by unreach-call: ase, cegar, cegar-invariants, pdr, kind, kind-bv
//@ decided-by overflow: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Needs the bound on `i`, for any number of rounds.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0)
    return 0;
  int i = 0;
  while (i < n)
    i++;
  assert(i == n);
  return 0;
}
