//~ valid-memcleanup violated
//@ decided-by: bmc, bmc-bv
// A failed assertion ends the program.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof(int));
  assert(__VERIFIER_nondet_int() != 7);
  free(p);
  return 0;
}
