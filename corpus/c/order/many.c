//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ assumes unreach-call: operands are evaluated from left to right at
// Too many orders to explore: one is assumed, and said.
extern void reach_error(void);

static int log_of;
static int note(int digit) { return log_of = log_of * 10 + digit; }

int main(void) {
  note(1) + note(2) + note(3) + note(4) + note(5) + note(6);
  if (log_of != 123456)
    reach_error();
  return 0;
}
