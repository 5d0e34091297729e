// Euclid's algorithm divides by what is not zero, and its result divides both numbers.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() % 8, b = __VERIFIER_nondet_uchar() % 8;
  if (a == 0 || b == 0)
    return 0;
  unsigned divisor = gcd(a, b);
  assert(a % divisor == 0 && b % divisor == 0);
  return 0;
}
