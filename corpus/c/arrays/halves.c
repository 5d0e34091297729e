//~ unreach-call holds
//@ decided-by: cells
// What holds of an element depends on where it is.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[2000];

int main(void) {
  int half = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (half < 0 || half > 1000 || k < 0 || k >= 2 * half) return 0;
  for (int i = 0; i < half; i++) a[i] = 1;
  for (int i = half; i < 2 * half; i++) a[i] = 2;
  if (a[k] != (k < half ? 1 : 2)) reach_error();
}
