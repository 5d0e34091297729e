//~ unreach-call violated
//~ initialized holds
//~ valid-deref holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The address of an address is taken and stored. What lies behind was written.
extern void reach_error(void);

int main(void) {
  int b = 5, *p = &b, **q = &p;
  int v = **q;
  if (v == 5)
    reach_error();
  return 0;
}
