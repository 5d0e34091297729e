//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ with: tentative-too.c
// All tentative definitions and the one with a value are one object.
extern void reach_error(void);
int count;
int count;
int sizes[];

int main(void) {
  if (count == 5 && sizes[3] == 0)
    reach_error();
  return 0;
}
