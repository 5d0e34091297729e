//~ unreach-call holds
//~ valid-free holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// What nobody calls is not reached, whatever else is not modelled.
extern void reach_error(void);
int x;
static void never(void) { reach_error(); }

int main(void) {
  __asm__ volatile("" : : "r"(&x) : "memory");
  return x;
}
