//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
// The library never sets `errno` to zero, and says so if it fails.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  errno = 5;
  FILE *f = fopen("name", "r");
  if (!f && !errno)
    reach_error();
  if (f) {
    fputs("text", f);
    if (!errno)
      reach_error();
    fclose(f);
  }
  return 0;
}
