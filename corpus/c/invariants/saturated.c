//~ unreach-call holds
//@ decided-by: ase, cegar-invariants, symba, pdr, kind, cegar-bv, pdr-bv
//@ facts intervals: level <= 50; level >= 0
// One path keeps the bound, another restores it: the block as a whole does.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int level = 0;
  while (__VERIFIER_nondet_int()) {
    level += 7;
    if (level > 50) level = 50;
    if (__VERIFIER_nondet_int() && level > 3) level -= 3;
    if (level < 0 || level > 50) reach_error();
  }
  return 0;
}
