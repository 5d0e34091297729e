// A level that leaves its range for a moment, between two statements.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int level = 20, change = 0;
  while (__VERIFIER_nondet_int()) {
    change = __VERIFIER_nondet_int();
    if (change < -5 || change > 5) change = 0;
    int next = level + change;
    if (next >= 0 && next <= 40) level = next;
  }
  return level;
}
