//~ unreach-call holds
//@ decided-by: cells
// Every element holds its own index, and those behind the end what they held before.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[5000];

int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n < 0 || n > 5000 || k < 0 || k >= 5000) return 0;
  for (int i = n; i > 0; i--) a[i - 1] = i - 1;
  if (k < n && a[k] != k) reach_error();
  if (k >= n && a[k] != 0) reach_error();
}
