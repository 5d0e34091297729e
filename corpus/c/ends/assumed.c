//~ termination holds
//@ decided-by: rank
// Runs in which the assumption fails are none; the others end.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
  int step = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  __VERIFIER_assume(step > 0 && step < 100);
  __VERIFIER_assume(n < 100000);
  while (n > 0)
    n -= step;
  return 0;
}
