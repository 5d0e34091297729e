//~ initialized violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
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
