//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Unknown code changes the variables that it defines.
extern void reach_error(void);
extern int level;
extern void later(void);

int main(void) {
  level = 0;
  later();
  if (level)
    reach_error();
  return 0;
}
