//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv
// Unknown code that is called by a function that unknown code called calls
// that function again.
extern void reach_error(void);
extern void install(void (*)(void));
extern void wait(void);
static int depth;

static void handler(void) {
  depth++;
  if (depth == 3)
    reach_error();
  wait();
  depth--;
}

int main(void) {
  install(handler);
  return 0;
}
