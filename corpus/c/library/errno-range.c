//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  errno = 0;
  if (strtol("99999999999999999999", 0, 10) != LONG_MAX || errno != ERANGE)
    reach_error();
  errno = 0;
  if (strtol("-12", 0, 10) != -12 || errno)
    reach_error();
  return 0;
}
