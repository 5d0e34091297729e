//~ valid-deref violated
//@ decided-by: bmc, cegar, kind, bmc-bv
#include <stdio.h>

int main(void) {
  char b[4];
  fgets(b, 5, stdin);
  return 0;
}
