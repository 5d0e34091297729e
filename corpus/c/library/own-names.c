//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv, kind-bv
// Functions of the program that are named as some of the library.
extern void reach_error(void);
static int closed;

void close(const char *what, int how) {
  if (what)
    closed += how;
}

int log(int level) { return level + 1; }

char *printf(int n) {
  static char c;
  c = n;
  return &c;
}

int main(void) {
  close("file", 3);
  if (closed != 3 || log(1) != 2 || *printf(7) != 7)
    reach_error();
  return 0;
}
