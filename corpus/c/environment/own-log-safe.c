//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv
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
