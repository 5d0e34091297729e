//~ sequencing holds
//~ unreach-call holds
//@ decided-by: bmc, cegar, cegar-invariants, symba, pdr, kind, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The pointers never meet.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = 1, b = 2, c = __VERIFIER_nondet_int();
  int *p = c ? &a : &b, *q = c ? &b : &a;
  *p = (*q)++;
  if (a + b != 5 && a + b != 3)
    reach_error();
  return 0;
}
