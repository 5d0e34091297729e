//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Unknown code that is named as a function of the library.
extern void reach_error(void);
extern void puts(int *where, int what);

int main(void) {
  int x = 0;
  puts(&x, 1);
  if (x)
    reach_error();
  return 0;
}
