//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Nobody knows what it returns or writes.
#include <assert.h>

extern int unknown(int *);

int main(void) {
  int x = 1;
  int result = unknown(&x);
  assert(x == 1 || result == 0);
  return 0;
}
