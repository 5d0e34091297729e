// A variable that is defined elsewhere has any value at the start.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
extern int level;
extern char name[8];
static int zero;
int main(void) {
  int *p = &level;
  if (*p == 99 && name[2] == 'q' && zero == 0)
    reach_error();
  return 0;
}
