//~ sequencing violated
//~ valid-deref holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Two elements of one array are the same where the indices are.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 3 || j < 0 || j > 3)
    return 0;
  a[i] = a[j]--;
  return 0;
}
