//~ unreach-call holds
//@ decided-by: ase, cegar, cegar-invariants, symba, pdr, kind, cegar-bv, pdr-bv, kind-bv
// Unsigned, downwards, with a step that is no unit.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000) return 0;
  unsigned left = n;
  while (left >= 3) left -= 3;
  if (left > 2) reach_error();
  return 0;
}
