//~ valid-deref violated
//@ decided-by: bmc, cegar, kind, bmc-bv
// The width does not count the zero at the end.
#include <stdio.h>

int main(void) {
  char word[3];
  scanf("%3s", word);
  return 0;
}
