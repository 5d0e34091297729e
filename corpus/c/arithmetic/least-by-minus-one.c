//~ division holds
//~ overflow violated
//@ decided-by division: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ decided-by overflow: ase, bmc, cegar, cegar-invariants, ase-bv
// The one quotient of integers that overflows.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y == 0)
    return 0;
  return x / y;
}
