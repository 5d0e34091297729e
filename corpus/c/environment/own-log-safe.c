//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// These are the library's, and change nothing.
extern void reach_error(void);
double log(double);
extern int close(int);

int main(void) {
  int count = 0;
  int *p = &count;
  double x = log(2.0);
  close(*p);
  if (*p != 0)
    reach_error();
  return x > 0;
}
