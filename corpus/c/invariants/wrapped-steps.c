//~ unreach-call holds
//@ decided-by: symba, pdr, kind, cegar-bv, kind-bv
// 2 * a + b == 9 modulo 2^32, whatever wraps and when.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 1, b = 7;
  while (__VERIFIER_nondet_int()) {
    a += 5;
    b -= 10;
  }
  if (2 * a + b != 9) reach_error();
}
