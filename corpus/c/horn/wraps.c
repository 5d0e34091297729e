//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The sum does wrap: nothing that was proved without wraps may be believed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_int();
  unsigned y = x + 10;
  while (y < 3) y++;
  if (y < x) reach_error();
  return 0;
}
