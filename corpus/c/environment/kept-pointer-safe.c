//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// What was never given away stays, whatever unknown code does.
extern void reach_error(void);
extern void keep(int *);
extern void later(int);

int main(void) {
  int x, y;
  int *p = &y;
  keep(&x);
  x = 0;
  *p = 0;
  later(3);
  if (*p)
    reach_error();
  keep(&y);
  return 0;
}
