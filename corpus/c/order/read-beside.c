//~ unreach-call violated
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A global is read before or after the call that changes it.
extern void reach_error(void);

static int n = 1;
static int a[3];
static int grow(void) { return ++n; }

int main(void) {
  a[n] = grow();
  if (a[2] == 2)
    reach_error();
  return 0;
}
