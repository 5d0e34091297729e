//~ unreach-call violated
//~ memory-safety holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int n = -1;
  printf("text%n\n", &n);
  if (n >= 0)
    reach_error();
  return 0;
}
