//~ unreach-call holds
//@ facts affine: (5 * (long long)a + 2 * (long long)b + 4294967255) % 4294967296 == 0
//@ decided-by: symba
// One goes down.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 7, b = 3;
  while (__VERIFIER_nondet_int()) {
    a -= 12;
    b += 30;
  }
  if (5 * (a - 7) != -2 * (b - 3)) reach_error();
}
