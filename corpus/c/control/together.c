//~ unreach-call holds
//@ decided-by: ase, cegar, cegar-invariants
// Two counters up, then down, around the end of their range: they stay equal.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    x = x + 1;
    y = y + 1;
  }
  while (__VERIFIER_nondet_int()) {
    x = x - 1;
    y = y - 1;
  }
  if (x < 0 && y > 0) reach_error();
  return 0;
}
