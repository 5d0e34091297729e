//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Conversions between integers keep the low bits.
#include <assert.h>

int main(void) {
  int x = 0x12345678;
  assert((short)x == 0x5678);
  assert((signed char)0x80 == -128);
  assert((unsigned char)-1 == 255);
  assert((unsigned long long)-1 == 18446744073709551615ull);
  assert((_Bool)256 == 1 && (_Bool)0.5 == 1);
  assert((int)-2.9 == -2);
  long long wide = (int)0xfffffffeu;
  assert(wide == -2);
  return 0;
}
