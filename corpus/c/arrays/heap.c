//~ unreach-call holds
//@ decided-by: cells
// The same through pointers, in memory of a size that is not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);

static void fill(int *p, int n) {
  for (int i = 0; i < n; i++) p[i] = 7;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int *a = malloc(n * sizeof *a);
  fill(a, n);
  for (int i = 0; i < n; i++)
    if (a[i] != 7) reach_error();
}
