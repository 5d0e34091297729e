//~ unreach-call holds
//@ decided-by: pdr
// One loop takes from k what another one needs: the invariant has a quotient and two slopes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  int k = n;
  for (int i = 0; i < n; i += 3) k--;
  for (int j = 0; j < n / 3; j++) {
    if (k <= 0) reach_error();
    k--;
  }
  return 0;
}
