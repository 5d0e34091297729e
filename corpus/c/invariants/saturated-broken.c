//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int level = 0;
  while (__VERIFIER_nondet_int()) {
    level += 7;
    if (level > 21) level = 24;
    if (level > 23) reach_error();
  }
  return 0;
}
