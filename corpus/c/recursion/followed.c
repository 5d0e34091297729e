//~ unreach-call holds
//@ decided-by: bmc
// Recursion with a pointer has no contract; it is followed to its end, and the
// evidence shows that no call lies deeper.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int seen[3];

static int walk(int *p, int n) {
  if (n <= 0)
    return 0;
  p[n % 3] = 1;
  return walk(p, n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 70)
    return 0;
  if (walk(seen, n) != 0)
    reach_error();
  return 0;
}
