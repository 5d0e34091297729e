// Structures by value: the callee changes its copy alone.
#include <assert.h>

extern short __VERIFIER_nondet_short(void);

struct point {
  int x, y;
};

static struct point moved(struct point p, int dx, int dy) {
  p.x += dx;
  p.y += dy;
  return p;
}

int main(void) {
  struct point p = {__VERIFIER_nondet_short(), __VERIFIER_nondet_short()};
  struct point q = moved(p, 3, -4);
  assert(q.x - p.x == 3);
  assert(q.y == p.y - 4);
  return 0;
}
