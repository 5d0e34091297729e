//~ valid-deref holds
//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A pointer without `const` is fine as long as nobody writes through it.
extern void reach_error(void);
static const int table[2] = {1, 2};
static int get(int *p) { return *p; }

int main(void) {
  const int copy = table[1];
  if (get((int *)&table[1]) != copy)
    reach_error();
  return 0;
}
