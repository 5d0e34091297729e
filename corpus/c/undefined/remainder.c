//~ overflow violated
//@ decided-by: ase, bmc, cegar, cegar-invariants
// The remainder overflows where the quotient does: INT_MIN % -1.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int dividend = __VERIFIER_nondet_int(), divisor = __VERIFIER_nondet_int();
  if (divisor == 0)
    return 0;
  return dividend % divisor != 0;
}
