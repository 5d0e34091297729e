//~ unreach-call holds
//@ facts affine: (5 * (long long)a - 2 * (long long)b) % 4294967296 == 0
//@ decided-by: symba
// The steps have a common factor: nothing may be divided by it modulo 2^32.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    a += 12;
    b += 30;
  }
  if (5 * a != 2 * b) reach_error();
}
