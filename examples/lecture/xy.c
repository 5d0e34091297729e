// The program of the worked examples of lecture 5, in C: two counters go up together, then down
// together. The limit keeps them from overflowing.
//
// Expected  holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (x < 1000 && __VERIFIER_nondet_int()) {
    x = x + 1;
    y = y + 1;
  }
  while (x > -1000 && __VERIFIER_nondet_int()) {
    x = x - 1;
    y = y - 1;
  }
  if (x < 0 && y > 0) {
    reach_error();
  }
  return 0;
}
