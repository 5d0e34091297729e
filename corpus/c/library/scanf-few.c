//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int a = 7, b = 8;
  if (scanf("%d %d", &a, &b) == 1 && a == 3)
    reach_error();
  return 0;
}
