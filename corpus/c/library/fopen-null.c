//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  FILE *f = fopen("name", "r");
  int c = fgetc(f);
  fclose(f);
  return c;
}
