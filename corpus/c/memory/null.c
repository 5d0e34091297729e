//~ memory-safety violated
//@ decided-by: ase, ase-bv, bmc, bmc-bv
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1, *p = 0;
  if (__VERIFIER_nondet_int() != 5)
    p = &x;
  return *p;
}
