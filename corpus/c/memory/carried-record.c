//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The same through a function that copies whatever it is given.
#include <string.h>
extern void reach_error(void);

struct handle {
  int *target;
  int tag;
};

static void copy(void *to, const void *from, unsigned long size) { memcpy(to, from, size); }

int main(void) {
  int value = 1;
  struct handle first = {&value, 1}, second, third;
  copy(&second, &first, sizeof first);
  copy(&third, &second, sizeof third);
  *third.target = 5;
  if (value == 5)
    reach_error();
  return 0;
}
