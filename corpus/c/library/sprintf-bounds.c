//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  char b[5];
  sprintf(b, "%d", 12345);
  return 0;
}
