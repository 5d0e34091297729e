//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A read that is sequenced before a call sees what was there before.
extern void reach_error(void);

static int set(int *p) { *p = 5; return 1; }

int main(void) {
  int a[2] = {0, 0};
  int old = a[1], both = (old = a[1], old + set(&a[1]));
  if (both != 1 || a[1] != 5)
    reach_error();
  return 0;
}
