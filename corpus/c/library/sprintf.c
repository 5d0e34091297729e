//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  char b[16];
  int n = 0;
  if (sprintf(b, "%d-%s:%x", -17, "ab", 255) != 9 || strcmp(b, "-17-ab:ff"))
    reach_error();
  if (snprintf(b, 4, "%05d%n", 42, &n) != 5 || strcmp(b, "000") || n != 5)
    reach_error();
  if (snprintf(0, 0, "%s", "four") != 4)
    reach_error();
  return 0;
}
