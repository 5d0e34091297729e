//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = calloc(3, sizeof *p);
  if (!p)
    return 0;
  assert(p[0] == 0 && p[2] == 0);
  p[2] = 9;
  int *q = realloc(p, 5 * sizeof *q);
  if (!q) {
    free(p);
    return 0;
  }
  q[4] = 1;
  assert(q[2] == 9);
  free(q);
  return 0;
}
