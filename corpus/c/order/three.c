//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The third call may come between the others, which no swap of operands does.
extern void reach_error(void);

static int log_of;
static int note(int digit) { return log_of = log_of * 10 + digit; }

int main(void) {
  note(1) + note(2) + note(3);
  if (log_of == 132)
    reach_error();
  return 0;
}
