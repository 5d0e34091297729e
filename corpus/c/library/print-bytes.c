//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
#include <stdio.h>

int main(void) {
  int numbers[3] = {1, 2, 3};
  fwrite(numbers, sizeof *numbers, 4, stdout);
  return 0;
}
