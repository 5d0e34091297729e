//~ initialized holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// As copied-record.c, reading the member that was written.
struct pair {
  int x, y;
};

static int first(struct pair p) { return p.x; }

static struct pair made(void) {
  struct pair p;
  p.x = 2;
  return p;
}

int main(void) {
  struct pair a, b;
  b.x = 1;
  a = b;
  return first(a) + made().x;
}
