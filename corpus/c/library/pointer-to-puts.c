//~ valid-deref violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, kind-bv
// A function of the library checks what it is given, however it is called.
#include <stdio.h>

int main(void) {
  int (*say)(const char *) = puts;
  say(0);
  return 0;
}
