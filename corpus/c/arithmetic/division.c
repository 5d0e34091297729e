//~ unreach-call holds
//~ division holds
//~ overflow holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Division rounds towards zero; the remainder has the sign of the dividend.
#include <assert.h>

int main(void) {
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert(7 / -2 == -3 && 7 % -2 == 1);
  volatile unsigned big = 4000000000u;
  assert(big / 3 == 1333333333u);
  return 0;
}
