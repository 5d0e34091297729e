//~ unreach-call holds
//~ initialized holds
//~ valid-deref holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// As stored-address.c, with a test that does not fail.
extern void reach_error(void);

int main(void) {
  int b = 5, *p = &b, **q = &p;
  int v = **q;
  if (v != 5)
    reach_error();
  return 0;
}
