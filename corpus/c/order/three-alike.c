//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Every order has all digits.
extern void reach_error(void);

static int log_of;
static int note(int digit) { return log_of = log_of * 10 + digit; }

int main(void) {
  note(1) + note(2) + note(3);
  if (log_of != 123 && log_of != 132 && log_of != 213 && log_of != 231 && log_of != 312 &&
      log_of != 321)
    reach_error();
  return 0;
}
