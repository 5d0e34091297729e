// An input that is a pointer may lead to memory that the program did not make.
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  int *q = __VERIFIER_nondet_pointer();
  if (!p)
    return 0;
  *p = 5;
  if (*p == 5 && q == 0)
    reach_error();
  return 0;
}
