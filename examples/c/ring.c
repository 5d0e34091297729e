// A ring buffer: what is put in comes out, in order.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { SIZE = 4 };

static int buffer[SIZE];
static unsigned first, count;

static int put(int value) {
  if (count == SIZE)
    return 0;
  buffer[(first + count) % SIZE] = value;
  count++;
  return 1;
}

static int take(int *value) {
  if (count == 0)
    return 0;
  *value = buffer[first];
  first = (first + 1) % SIZE;
  count--;
  return 1;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x, y;
  first = (unsigned)__VERIFIER_nondet_int() % SIZE;
  put(a);
  put(b);
  int taken = take(&x);
  taken += take(&y);
  assert(taken == 2 && x == a && y == b);
  return 0;
}
