//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ assumes unreach-call: operands are evaluated from left to right at
// A call might come between the two of the operand beside it: said, not explored.
extern void reach_error(void);

static int log_of;
static int note(int digit) { return log_of = log_of * 10 + digit; }

int main(void) {
  (note(1), note(2)) + note(3);
  if (log_of != 123)
    reach_error();
  return 0;
}
