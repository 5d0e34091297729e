// Example 5.1 of lecture 5, in C: a counter that starts positive never becomes negative. The limit
// keeps it from overflowing.
//
// Expected  holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 1;
  while (__VERIFIER_nondet_int()) {
    if (x < 1000) {
      x = x + 1;
    }
  }
  if (x < 0) {
    reach_error();
  }
  return 0;
}
