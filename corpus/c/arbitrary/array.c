// The elements of an array that nothing was written to have any value.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, ase-bv, bmc-bv, cegar-bv, pdr-bv
extern void reach_error(void);
int main(void) {
  int a[4];
  struct { char c; short s[2]; } r;
  a[1] = 5;
  if (a[2] == 17 && a[3] == -2 && a[1] == 5 && r.c == 'x' && r.s[1] == 1000)
    reach_error();
  return 0;
}
