//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
#include <math.h>
extern void reach_error(void);

int main(void) {
  if (pow(2, 3) != 8 || pow(-2, 3) != -8 || pow(2, -1) != 0.5 || pow(1.5, 2) != 2.25)
    reach_error();
  if (fmod(5.5, 2) != 1.5 || fmod(-7, 3) != -1 || remainder(5, 3) != -1)
    reach_error();
  if (cos(0) != 1 || exp(0) != 1 || log(1) != 0 || ldexp(3, -2) != 0.75)
    reach_error();
  return 0;
}
