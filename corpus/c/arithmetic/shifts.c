//~ unreach-call holds
//~ shift holds
//@ decided-by unreach-call: ase, ur, bmc, cegar, symba, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by shift: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar() % 32;
  unsigned one = 1u << n;
  assert(one >> n == 1);
  assert(-8 >> 1 == -4);
  assert((0x80000000u >> n) != 0);
  return 0;
}
