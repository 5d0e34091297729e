//~ valid-deref violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, kind-bv
#include <stdio.h>

int main(void) {
  const char *p = 0;
  puts(p);
  return 0;
}
