//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  char word[4];
  if (scanf("%3s", word) == 1 && word[0] == ' ')
    reach_error();
  return 0;
}
