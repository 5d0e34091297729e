//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A section whose name only begins like that of code which runs before `main`.
extern void reach_error(void);
static int x;
__attribute__((section(".init.text"))) static void later(void) { x = 1; }

int main(void) {
  if (x)
    reach_error();
  later();
  return x - 1;
}
