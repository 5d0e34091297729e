// A local variable that is read before it is written has any value.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
int main(void) {
  int x, y;
  if (x > 7)
    y = 3;
  if (x == 41 && y == 3)
    reach_error();
  return 0;
}
