//~ valid-memcleanup violated
//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// The program ends at the error, with an object that is not freed.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
  int *p = malloc(sizeof(int));
  reach_error();
  free(p);
  return 0;
}
