//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  FILE *f = fopen("name", "w");
  if (!f)
    return 0;
  fclose(f);
  fclose(f);
  return 0;
}
