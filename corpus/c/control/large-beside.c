//~ unreach-call holds
//@ decided-by: bmc
// Most of a large program has nothing to do with the question: it is cut away before calls are copied.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int locked, traffic, seen[8];
static int *last = seen;

static int count(int x, int *p) {
  int result = x + *p;
  if (x > 7)
    result -= x;
  *p = result;
  traffic++;
  last = p;
  return result;
}
#define TWICE(f, a, p) f(f(a, p), p)
static int a(int x, int *p) { return TWICE(count, x, p) + TWICE(count, x + 1, p); }
static int b(int x, int *p) { return TWICE(a, x, p) + TWICE(a, x + 1, p); }
static int c(int x, int *p) { return TWICE(b, x, p) + TWICE(b, x + 1, p); }
static int d(int x, int *p) { return TWICE(c, x, p) + TWICE(c, x + 1, p); }
static int e(int x, int *p) { return TWICE(d, x, p) + TWICE(d, x + 1, p); }
static int lock(int x, int *p) {
  if (locked)
    reach_error();
  locked = 1;
  return e(x, p);
}
static void unlock(int x) {
  e(x, last);
  locked = 0;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = lock(x, &seen[3]);
  unlock(y);
  lock(y, &seen[traffic & 7]);
  return 0;
}
