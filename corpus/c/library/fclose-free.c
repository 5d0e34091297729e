//~ valid-free violated
//@ decided-by: bmc, bmc-bv
// A stream is closed, not freed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *f = fopen("name", "w");
  free(f);
  return 0;
}
