//~ unreach-call holds
//~ sequencing holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Whatever the order, each item has a number of its own.
extern void reach_error(void);

int main(void) {
  int i = 0;
  int a[2] = {i++, i++};
  if (a[0] + a[1] != 1 || i != 2)
    reach_error();
  return 0;
}
