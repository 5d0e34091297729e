// Traffic lights as a state machine: the two are never green together.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum color { RED, GREEN, YELLOW };

int main(void) {
  enum color north = RED, east = RED;
  int turn = 0;
  while (1) {
    int wanted = __VERIFIER_nondet_int();
    switch (north) {
    case RED:
      if (turn == 0 && east == RED && wanted > 0)
        north = GREEN;
      break;
    case GREEN:
      north = YELLOW;
      break;
    case YELLOW:
      north = RED;
      turn = 1;
      break;
    }
    switch (east) {
    case RED:
      if (turn == 1 && north == RED)
        east = GREEN;
      break;
    case GREEN:
      east = YELLOW;
      break;
    default:
      east = RED;
      turn = 0;
    }
    assert(!(north == GREEN && east == GREEN));
  }
}
