//~ unreach-call violated
//~ initialized violated
//@ decided-by initialized: ase, ase-bv, bmc, bmc-bv
// What was never written may be anything.
#include <assert.h>

int main(void) {
  int x, y = 0;
  if (x > 0)
    y = 1;
  assert(y == 0);
  return 0;
}
