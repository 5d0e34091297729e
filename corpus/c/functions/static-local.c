//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A static local keeps its value; a shadowing local does not.
#include <assert.h>

static int next(void) {
  static int count = 5;
  {
    int count = 100;
    count++;
  }
  return count++;
}

int main(void) {
  int first = next(), second = next();
  assert(first == 5 && second == 6);
  return 0;
}
