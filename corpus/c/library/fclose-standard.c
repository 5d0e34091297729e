//~ memory-safety holds
//@ decided-by: ur, bmc, cegar, cegar-invariants, kind, explicit, bmc-bv, cegar-bv, kind-bv
#include <stdio.h>

int main(void) {
  fclose(stdin);
  return 0;
}
