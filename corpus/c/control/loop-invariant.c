//~ unreach-call holds
//~ overflow holds
//@ decided-by unreach-call: ase
//@ decided-by overflow: ase, ase-bv, bmc, bmc-bv
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
