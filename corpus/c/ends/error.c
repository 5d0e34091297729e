//~ termination holds
//@ decided-by: rank
// A failed assertion is an end, and so is `abort`.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  while (1) {
    if (n == 0)
      abort();
    if (n < 0)
      assert(0);
    n--;
  }
}
