//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv
// Calls inside calls, with their own locals.
#include <assert.h>

static int fibonacci(int n) {
  if (n < 2)
    return n;
  int left = fibonacci(n - 1);
  return left + fibonacci(n - 2);
}

int main(void) {
  assert(fibonacci(7) == 13);
  return 0;
}
