//~ unreach-call holds
//@ decided-by: ase, bmc, bmc-bv, cegar
// An assertion that the compiler decides is one all the same.
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 4);
  return 0;
}
