//~ sequencing violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Where the two pointers meet, an object is written twice.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = 1, b = 2;
  int *p = &a, *q = __VERIFIER_nondet_int() ? &a : &b;
  *p = (*q)++;
  return 0;
}
