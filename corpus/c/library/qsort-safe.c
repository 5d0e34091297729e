//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b, void *unused) {
  return *(const signed char *)a - *(const signed char *)b;
}

int main(void) {
  signed char a[2] = {2, 1};
  qsort_r(a, 2, 1, compare, 0);
  if (a[0] != 1 || a[1] != 2)
    reach_error();
  return 0;
}
