//~ sequencing violated
//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ assumes unreach-call: accesses in no fixed order happen from left to right
// The store of `++` and that of `=` have no order.
extern void reach_error(void);

int main(void) {
  int i = 1;
  i = i++ + 1;
  if (i != 2)
    reach_error();
  return 0;
}
