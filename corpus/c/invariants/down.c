//~ unreach-call holds
//@ decided-by: symba, cegar-invariants
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
