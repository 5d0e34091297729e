//~ sequencing holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Different elements of one array are different objects.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {1, 2, 3, 4};
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 3 || j < 0 || j > 3 || i == j)
    return 0;
  a[i] = a[j]--;
  return 0;
}
