//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  const char *p = 0;
  puts(p);
  return 0;
}
