//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, kind, ase-bv, bmc-bv, cegar-bv, kind-bv
// What was not read is as it was before.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int a = 7, b = 8;
  int n = scanf("%d %d", &a, &b);
  if (n > 2 || n < -1 || (n < 2 && b != 8) || (n < 1 && a != 7))
    reach_error();
  return 0;
}
