//~ unreach-call holds
//@ args: --data-model ilp32
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// `long` and pointers have 32 bits.
extern void reach_error(void);

int main(void) {
  unsigned long x = 4294967295ul;
  if (sizeof(long) != 4 || sizeof(void *) != 4 || x + 1 != 0)
    reach_error();
  struct {
    char c;
    double d;
  } s;
  if (sizeof s != 12)
    reach_error();
  return 0;
}
