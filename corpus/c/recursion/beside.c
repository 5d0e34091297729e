//~ unreach-call holds
//@ decided-by: bmc
// A function that cannot come to the error decides about it, and something else
// recurs.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int x;

static void set(int to) { x = to; }

static void down(int n) {
  if (x != 1)
    reach_error();
  if (n > 0)
    down(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  set(1);
  if (n < 3)
    down(n);
  return 0;
}
