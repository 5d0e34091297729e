// Exercise 5.7 of lecture 5: four counters. The printed text lacks types and has one parenthesis
// too many. The limit keeps the counters from overflowing.
//
// Expected  holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0, z = 0, w = 0;
  while (w < 1000000 && __VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      x = x + 1;
      y = y + 100;
    } else if (__VERIFIER_nondet_int()) {
      if (x >= 4) {
        x = x + 1;
        y = y + 1;
      }
    } else if (y > 10 * w && z >= 100 * x) {
      y = -y;
    }
    w = w + 1;
    z = z + 10;
  }
  if (x >= 4 && y <= 2) {
    reach_error();
  }
  return 0;
}
