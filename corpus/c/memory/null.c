//~ memory-safety violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1, *p = 0;
  if (__VERIFIER_nondet_int() != 5)
    p = &x;
  return *p;
}
