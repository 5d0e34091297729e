//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A function of the library that fails says why in `errno`.
#include <errno.h>
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  errno = 0;
  FILE *f = fopen("name", "r");
  if (!f && errno)
    reach_error();
  if (f)
    fclose(f);
  return 0;
}
