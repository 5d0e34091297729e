//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The right operand is evaluated only when it counts.
#include <assert.h>

static int calls;

static int touch(int value) {
  calls++;
  return value;
}

int main(void) {
  if (touch(0) && touch(1))
    calls += 100;
  assert(calls == 1);
  int x = touch(1) || touch(0);
  assert(calls == 2 && x == 1);
  x = touch(0) ? touch(5) : touch(7);
  assert(calls == 4 && x == 7);
  x = (touch(1), touch(9));
  assert(calls == 6 && x == 9);
  return 0;
}
