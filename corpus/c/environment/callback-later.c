//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, bmc-bv, cegar-bv, pdr-bv
// It calls it as often as it likes, with any arguments, also from another call.
extern void reach_error(void);
struct handlers { int version; void (*on_key)(int, char); };
extern void install(const struct handlers *);
extern int wait(void);
static int seen;

static void on_key(int code, char key) {
  if (code == 77 && key == 'q')
    seen++;
}

static const struct handlers mine = {1, on_key};

int main(void) {
  install(&mine);
  seen = 0;
  if (wait() == 4 && seen == 2)
    reach_error();
  return 0;
}
