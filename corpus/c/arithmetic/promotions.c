//~ unreach-call holds
//~ overflow holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Small types are computed in `int`; mixed signs are compared as unsigned.
#include <assert.h>

int main(void) {
  unsigned char a = 200, b = 100;
  assert(a + b == 300);
  unsigned char sum = a + b;
  assert(sum == 44);
  assert(-1 > 0u);
  assert((short)-1 < (unsigned short)1);
  assert((char)-1 < 0);
  assert((a << 8) == 51200);
  assert(~a == -201);
  return 0;
}
