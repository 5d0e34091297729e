//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Unknown code calls a function that it was given.
extern void reach_error(void);
extern void install(void (*)(void));
static int seen;

static void handler(void) { seen = 1; }

int main(void) {
  install(handler);
  if (seen)
    reach_error();
  return 0;
}
