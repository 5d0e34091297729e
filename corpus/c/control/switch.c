//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
// Fall-through, default in the middle, cases inside a loop.
#include <assert.h>

static int weight(int n) {
  int sum = 0;
  switch (n) {
  case 1:
    sum += 1;
  default:
    sum += 10;
  case 2:
    sum += 100;
    break;
  case 3:
    return -1;
  }
  return sum;
}

static int device(int count) {
  int steps = 0;
  switch (count % 4) {
  case 0:
    do {
      steps++;
    case 3:
      steps++;
    case 2:
      steps++;
    case 1:
      steps++;
    } while ((count -= 4) > 0);
  }
  return steps;
}

int main(void) {
  assert(weight(1) == 111 && weight(2) == 100 && weight(3) == -1 && weight(4) == 110);
  assert(device(6) == 6 && device(5) == 5 && device(8) == 8);
  return 0;
}
