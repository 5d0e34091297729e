//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// An assertion that the compiler decides is one all the same.
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 4);
  return 0;
}
