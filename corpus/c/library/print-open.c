//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
// No zero ends the text.
#include <stdio.h>

int main(void) {
  char text[2] = {'a', 'b'};
  fputs(text, stdout);
  return 0;
}
