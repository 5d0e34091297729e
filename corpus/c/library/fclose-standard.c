//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  fclose(stdin);
  return 0;
}
