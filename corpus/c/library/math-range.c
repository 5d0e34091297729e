//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, kind, ase-bv, bmc-bv, cegar-bv, kind-bv
#include <math.h>
extern void reach_error(void);

int main(void) {
  if (sin(1) > 1 || exp(2) < 1 || !(log(-1) != log(-1)) || pow(0.5, 0.25) > 1)
    reach_error();
  return 0;
}
