//~ unreach-call holds
//@ decided-by: cells
// A copy is like what was copied, element by element.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int from[1000], to[1000];
  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) to[i] = from[i];
  for (int i = 0; i < n; i++)
    if (to[i] != from[i]) reach_error();
}
