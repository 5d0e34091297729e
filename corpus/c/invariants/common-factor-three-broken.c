//~ unreach-call violated
//@ decided-by: bmc
// Three variables; one branch is off by one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 0, c = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      a += 12;
      b += 30;
      c += 42;
    } else {
      a += 6;
      b += 15;
      c += 20;
    }
  }
  if (5 * a != 2 * b || a + b != c) reach_error();
}
