//~ unreach-call violated
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The items of an initializer are evaluated in any order.
extern void reach_error(void);

int main(void) {
  int i = 0;
  int a[2] = {i++, i++};
  if (a[0] == 1)
    reach_error();
  return 0;
}
