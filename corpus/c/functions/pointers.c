//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
// Functions as values: passed, stored, compared.
#include <assert.h>
#include <stddef.h>

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }

struct step {
  int (*run)(int);
  const struct step *next;
};

static int all(const struct step *step, int x) {
  for (; step; step = step->next)
    x = step->run(x);
  return x;
}

int main(void) {
  struct step second = {square, NULL}, first = {&twice, &second};
  assert(all(&first, 3) == 36);
  second.run = twice;
  assert(all(&first, 3) == 12);
  assert(first.run == second.run && first.run != square);
  return 0;
}
