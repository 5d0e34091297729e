//~ initialized violated
//@ decided-by: bmc, bmc-bv
// A copy has what the original has: a member without a value.
struct pair {
  int x, y;
};

static int second(struct pair p) { return p.y; }

int main(void) {
  struct pair a, b;
  b.x = 1;
  a = b;
  return second(a);
}
