//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// Output may fail, and the first may look for a terminal.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  errno = 0;
  printf("text\n");
  if (errno)
    reach_error();
  return 0;
}
