//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A run that breaks an assumption counts no more.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);

static void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 10);
  assume_abort_if_not(x < 20);
  assert(x >= 11 && x <= 19);
  return 0;
}
