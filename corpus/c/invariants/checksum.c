//~ unreach-call holds
//@ decided-by: symba, kind-bv
// A sum that wraps: what was added is known modulo 2^32 all the same.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned sum = 7, given = 0, rounds = 0;
  while (__VERIFIER_nondet_uint()) {
    unsigned piece = __VERIFIER_nondet_uint();
    given += piece;
    sum += 5 * piece + 2;
    rounds++;
  }
  if (sum - 5 * given - 2 * rounds != 7) reach_error();
  return 0;
}
