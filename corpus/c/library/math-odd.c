//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
#include <math.h>
extern void reach_error(void);

int main(void) {
  if (fmod(7, 2) == 1 && pow(3, 2) == 9)
    reach_error();
  return 0;
}
