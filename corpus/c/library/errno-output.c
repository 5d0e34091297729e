//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
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
