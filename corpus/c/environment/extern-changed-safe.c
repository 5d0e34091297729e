//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// They change only while unknown code runs.
extern void reach_error(void);
extern int level;
extern void later(void);

int main(void) {
  later();
  int before = level;
  if (before != level)
    reach_error();
  level = 3;
  if (level != 3)
    reach_error();
  return 0;
}
