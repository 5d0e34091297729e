//~ valid-deref violated
//@ decided-by: bmc, kind, bmc-bv
#include <stdio.h>

int main(void) {
  char word[8];
  scanf("%s", word);
  return 0;
}
