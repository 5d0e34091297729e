//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 8);
  return 0;
}
