//~ sequencing violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A byte of an object is written while the object is.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned x = 1;
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k > 3)
    return 0;
  unsigned char *p = (unsigned char *)&x + k;
  x = *p = 2;
  return 0;
}
