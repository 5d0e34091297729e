//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// Nobody knows what it returns or writes.
#include <assert.h>

extern int unknown(int *);

int main(void) {
  int x = 1;
  int result = unknown(&x);
  assert(x == 1 || result == 0);
  return 0;
}
