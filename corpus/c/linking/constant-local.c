//~ valid-deref holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ assumes valid-deref: the constant `limit` is not written through a pointer without `const`
// Constants of functions are not watched, which is said.
static int get(int *p) { return *p; }

int main(void) {
  const int limit = 1;
  return get((int *)&limit);
}
