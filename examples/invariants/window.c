// A window of fixed width that moves: its ends are known one by one, its width
// only if they are looked at together.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = 5, width = 5;
  while (__VERIFIER_nondet_int()) {
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 100) at = 50;
    low = at;
    high = at + 5;
    width = high - low;
  }
  return width + low + high;
}
