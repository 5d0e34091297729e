//~ unreach-call violated
//@ decided-by: ase, bmc, bmc-bv, cegar
#include <assert.h>

int main(void) {
  assert(sizeof(int) == 8);
  return 0;
}
