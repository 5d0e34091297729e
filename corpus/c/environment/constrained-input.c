//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// Which inputs are possible depends on the state: a proof over states that are
// taken together has to see all of them.
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);

static unsigned n, seen;

int main(void) {
  while (n < 10) {
    _Bool x = __VERIFIER_nondet_bool();
    _Bool y = __VERIFIER_nondet_bool();
    __VERIFIER_assume(x != y);
    __VERIFIER_assume(!x || n >= 5);
    if (x)
      seen = 1;
    if (seen && n < 5)
      reach_error();
    n++;
  }
  return 0;
}
