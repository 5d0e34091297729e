//~ unreach-call holds
//@ decided-by: ase, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, cegar-bv, pdr-bv
// Whatever unknown code calls, it calls functions of the program, and only
// those that it was given.
extern void reach_error(void);
extern void install(void (*)(int));
static int seen, other;

static void handler(int value) {
  if (value > 10)
    seen = 5;
}

static void hidden(int value) { other = value; }

int main(void) {
  void (*own)(int) = hidden;
  install(handler);
  if (seen != 0 && seen != 5)
    reach_error();
  if (other != 0)
    reach_error();
  own(2);
  if (other != 2)
    reach_error();
  return 0;
}
