//~ unreach-call violated
//@ decided-by: bmc, cegar, cegar-invariants, kind, bmc-bv
//@ native unreach-call: no, it depends on how the library sorts
// Elements that compare equal come out in any order.
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b) {
  return *(const signed char *)a / 10 - *(const signed char *)b / 10;
}

int main(void) {
  signed char a[2] = {12, 11};
  qsort(a, 2, 1, compare);
  if (a[0] == 11)
    reach_error();
  return 0;
}
