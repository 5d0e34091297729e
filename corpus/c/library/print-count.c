//~ unreach-call violated
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int n = -1;
  printf("text%n\n", &n);
  if (n >= 0)
    reach_error();
  return 0;
}
