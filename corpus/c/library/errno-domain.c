//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
#include <errno.h>
extern double sqrt(double);
extern void reach_error(void);

int main(void) {
  errno = 0;
  double x = sqrt(-1.0);
  if (errno && x != x)
    reach_error();
  return 0;
}
