//? unreach-call beyond 100000 steps
// What is asked stands in a function with more copies than there is room for.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int seen[8];

static int count(int x, int *p) {
  if (*p == 1000000)
    reach_error();
  *p += x > 7 ? 1 : 2;
  return *p;
}
#define TWICE(f, a, p) f(f(a, p), p)
static int a(int x, int *p) { return TWICE(count, x, p) + TWICE(count, x + 1, p); }
static int b(int x, int *p) { return TWICE(a, x, p) + TWICE(a, x + 1, p); }
static int c(int x, int *p) { return TWICE(b, x, p) + TWICE(b, x + 1, p); }
static int d(int x, int *p) { return TWICE(c, x, p) + TWICE(c, x + 1, p); }
static int e(int x, int *p) { return TWICE(d, x, p) + TWICE(d, x + 1, p); }
static int f(int x, int *p) { return TWICE(e, x, p) + TWICE(e, x + 1, p); }
static int g(int x, int *p) { return TWICE(f, x, p) + TWICE(f, x + 1, p); }
static int h(int x, int *p) { return TWICE(g, x, p) + TWICE(g, x + 1, p); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  h(x, &seen[x & 7]);
  return 0;
}
