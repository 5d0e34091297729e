//~ unreach-call violated
//~ unreach-call(my_error) violated
//~ unreach-call(other_error) holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Any function can be the one that must not be called.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void my_error(void) { reach_error(); }
static void other_error(void) { reach_error(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 12345)
    my_error();
  if (x != x)
    other_error();
  return 0;
}
