//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ with: strong-weak.c
// The weak definitions come second and do not count.
extern void reach_error(void);

int level = 2;
int choose(void) { return 2; }

int main(void) {
  if (choose() != 2 || level != 2)
    reach_error();
  return 0;
}
