//~ valid-free violated
//~ valid-deref holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by valid-free: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// An array that begins to live in each round of a loop is not the heap's to free.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++) {
    int a[2], *p = a;
    a[0] = i;
    if (n == 12345)
      free(p);
  }
  return 0;
}
