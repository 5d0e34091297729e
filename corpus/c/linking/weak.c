//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ with: weak-strong.c
// A strong definition in another file takes the place of the weak ones here.
extern void reach_error(void);

__attribute__((weak)) int level = 1;
__attribute__((weak)) int choose(void) { return 1; }

int main(void) {
  if (choose() == 2 && level == 2)
    reach_error();
  return 0;
}
