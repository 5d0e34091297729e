//~ unreach-call holds
//@ args: --data-model ilp32
//@ decided-by: ase, ase-bv, bmc, bmc-bv
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
