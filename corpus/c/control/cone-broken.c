//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, bmc-bv
// One round leaves the cone.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (x < 10000 && __VERIFIER_nondet_int()) {
    x = x + 1;
    y = y + (__VERIFIER_nondet_int() ? 9 : 0);
  }
  if (x > y || y > 9 * x) reach_error();
  return 0;
}
