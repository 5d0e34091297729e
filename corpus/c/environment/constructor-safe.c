//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
static int ready;

__attribute__((constructor)) void prepare(void) { ready = 1; }

int main(void) {
  if (!ready)
    reach_error();
  return 0;
}
