//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
// Jumps into and out of blocks.
#include <assert.h>

int main(void) {
  int rounds = 0, inside = 0;
  goto middle;
  while (rounds < 3) {
    inside += 10;
  middle:
    inside++;
    rounds++;
  }
  assert(rounds == 3 && inside == 23);
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if (i * j == 42) {
        rounds = i * 10 + j;
        goto found;
      }
found:
  assert(rounds == 67);
  return 0;
}
