//~ unreach-call holds
//~ valid-deref holds
//@ decided-by: bmc, bmc-bv
// A line ends what is read.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  char b[4];
  if (!fgets(b, sizeof b, stdin))
    return 0;
  if (b[0] == '\n' && b[1])
    reach_error();
  b[strcspn(b, "\n")] = 0;
  puts(b);
  return 0;
}
