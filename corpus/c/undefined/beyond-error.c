//~ unreach-call violated
//~ overflow violated
//~ initialized violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// What comes after an overflow or an unwritten read still happens.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y;
  int z = x + 1;
  if (y == 3 && z < x)
    reach_error();
  return 0;
}
