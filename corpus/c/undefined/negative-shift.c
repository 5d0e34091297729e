//~ overflow violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A negative number must not be shifted to the left.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int() & 1 ? -1 : 0;
  return (x << 1) != 0;
}
