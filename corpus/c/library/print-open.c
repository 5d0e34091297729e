//~ valid-deref violated
//@ decided-by: bmc, cegar, kind, ase-bv, bmc-bv, kind-bv
// No zero ends the text.
#include <stdio.h>

int main(void) {
  char text[2] = {'a', 'b'};
  fputs(text, stdout);
  return 0;
}
