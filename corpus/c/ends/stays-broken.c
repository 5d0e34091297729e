//~ termination violated
//@ decided-by: rank
// From above the loop ends, from below it turns on the spot.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  while (x != 10) {
    if (x > 10)
      x--;
    else
      y = 1 - y;
  }
  return y;
}
