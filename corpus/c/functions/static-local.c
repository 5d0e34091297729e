//~ unreach-call holds
//@ decided-by: ase, ase-bv, bmc, bmc-bv
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
