//~ unreach-call violated
//~ initialized holds
//~ valid-deref holds
//@ decided-by: ase, bmc, bmc-bv, cegar
// The address of an address is taken and stored. What lies behind was written.
extern void reach_error(void);

int main(void) {
  int b = 5, *p = &b, **q = &p;
  int v = **q;
  if (v == 5)
    reach_error();
  return 0;
}
