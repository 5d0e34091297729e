//~ unreach-call holds
//@ decided-by: ase-bv, bmc-bv, cegar-bv, kind-bv
// The bits of a float are those that the machine has, whichever way they are read.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
union word { float f; unsigned w; };
union wide { double d; struct { unsigned low, high; } part; unsigned char byte[8]; };

int main(void) {
  union word u;
  u.f = 1.0f;
  if (u.w != 0x3f800000u)
    reach_error();
  float x = __VERIFIER_nondet_float();
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= 0x7fffffffu;
  memcpy(&x, &bits, sizeof x);
  if (x < 0)
    reach_error();
  union wide v;
  v.d = -2.0;
  if (v.part.high != 0xc0000000u || v.byte[7] != 0xc0)
    reach_error();
  v.part.high ^= 0x80000000u;
  if (v.d != 2.0)
    reach_error();
  return 0;
}
