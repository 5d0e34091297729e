//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
static int ready;

static void prepare(void) { ready = 1; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = prepare;

int main(void) {
  if (!ready)
    reach_error();
  return 0;
}
