// What is assumed in CBMC's words holds behind it.
//~ unreach-call holds
//@ decided-by: bmc, cegar, bmc-bv, cegar-bv
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x > 3 && x < 100);
  __CPROVER_assert(x != 3 && x != 100, "both ends are excluded");
  return 0;
}
