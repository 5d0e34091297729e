//~ unreach-call violated
//@ decided-by: bmc, cegar, kind, bmc-bv
// The function that compares is called with the last argument.
#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b, void *calls) {
  ++*(int *)calls;
  return *(const signed char *)a - *(const signed char *)b;
}

int main(void) {
  signed char a[2] = {2, 1};
  int calls = 0;
  qsort_r(a, 2, 1, compare, &calls);
  if (calls > 0 && a[0] == 1 && a[1] == 2)
    reach_error();
  return 0;
}
