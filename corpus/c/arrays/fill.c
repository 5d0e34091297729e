//~ unreach-call holds
//@ decided-by: cells
// Every element is written before any is read; how many there are is not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[100000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  for (int i = 0; i < n; i++) a[i] = 42;
  for (int i = 0; i < n; i++)
    if (a[i] != 42) reach_error();
}
