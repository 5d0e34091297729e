//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <errno.h>
extern double sqrt(double);
extern void reach_error(void);

int main(void) {
  errno = 0;
  double x = sqrt(-1.0);
  if (errno && x != x)
    reach_error();
  return 0;
}
