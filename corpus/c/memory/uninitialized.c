//~ unreach-call violated
//~ initialized violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
//@ decided-by initialized: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// What was never written may be anything.
#include <assert.h>

int main(void) {
  int x, y = 0;
  if (x > 0)
    y = 1;
  assert(y == 0);
  return 0;
}
