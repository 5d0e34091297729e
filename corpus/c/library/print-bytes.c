//~ valid-deref violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <stdio.h>

int main(void) {
  int numbers[3] = {1, 2, 3};
  fwrite(numbers, sizeof *numbers, 4, stdout);
  return 0;
}
