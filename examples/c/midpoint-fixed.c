// The midpoint without the overflow: the distance is halved, not the sum.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int midpoint(int low, int high) {
  return low + (high - low) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int middle = midpoint(low, high);
  assert(low <= middle && middle <= high);
  return 0;
}
