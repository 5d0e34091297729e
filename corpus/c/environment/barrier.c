//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A barrier for the compiler, and a pause, change nothing.
extern void reach_error(void);

int shared;

int main(void) {
  asm volatile("" ::: "memory");
  asm volatile("pause");
  if (shared)
    reach_error();
  return 0;
}
