//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A pointer that unknown code was given is still known there when other unknown
// code is called.
extern void reach_error(void);
extern void keep(int *);
extern void later(int);

int main(void) {
  int x;
  keep(&x);
  x = 0;
  later(3);
  if (x)
    reach_error();
  return 0;
}
