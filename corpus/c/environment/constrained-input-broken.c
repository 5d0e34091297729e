//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv
// One input too many is possible.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned n, seen;

int main(void) {
  while (n < 10) {
    _Bool x = __VERIFIER_nondet_bool();
    _Bool y = __VERIFIER_nondet_bool();
    __VERIFIER_assume(x != y);
    __VERIFIER_assume(!x || n >= 4);
    if (x)
      seen = 1;
    if (seen && n < 5)
      reach_error();
    n++;
  }
  return 0;
}
