//~ sequencing violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The access on the left happens on one way only.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int(), i = 1;
  return (c ? i++ : 0) + i;
}
