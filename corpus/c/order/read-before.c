//~ unreach-call holds
//~ sequencing holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The read and the call have an order: the read of a compound assignment comes
// after its right side, arguments come before the call.
extern void reach_error(void);

static int n = 1;
static int grow(void) { return ++n; }
static int more(int by) { return n += by; }

int main(void) {
  n += grow();
  if (n != 4)
    reach_error();
  n = n ? grow() : n;
  n = (grow(), n);
  n = more(n);
  if (n != 12)
    reach_error();
  return 0;
}
