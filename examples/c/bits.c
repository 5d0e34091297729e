// Two ways to say that a number is a power of two, and the swap without a third variable.
#include <assert.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  int by_trick = x != 0 && (x & (x - 1)) == 0;
  int by_isolation = x != 0 && (x & -x) == x;
  assert(by_trick == by_isolation);

  unsigned a = x, b = y;
  a ^= b;
  b ^= a;
  a ^= b;
  assert(a == y && b == x);
  return 0;
}
