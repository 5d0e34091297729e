//~ termination violated
//@ decided-by: rank
// The step may be zero.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int step = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  __VERIFIER_assume(step >= 0 && step < 100);
  while (n > 0)
    n -= step;
  return 0;
}
