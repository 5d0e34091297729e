//~ unreach-call violated
//~ initialized violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Another object behind the stored address was never written.
extern void reach_error(void);

int main(void) {
  int b = 5, c, *p = &b, **q = &p;
  *q = &c;
  int v = **q;
  if (b == 5)
    reach_error();
  return v;
}
