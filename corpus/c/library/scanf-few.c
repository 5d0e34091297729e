//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int a = 7, b = 8;
  if (scanf("%d %d", &a, &b) == 1 && a == 3)
    reach_error();
  return 0;
}
