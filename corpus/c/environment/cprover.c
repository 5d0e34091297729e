// CBMC's names for assumptions and assertions.
//~ unreach-call violated
//@ decided-by: bmc, cegar, bmc-bv, cegar-bv
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __CPROVER_assume(x > 3 && x < 100);
  __CPROVER_assert(x != 3, "three is excluded");
  __CPROVER_assert(x != 50, "never fifty");
  return 0;
}
