//~ unreach-call holds
//@ decided-by: cegar-invariants, symba, kind
//@ facts intervals: i <= 10000; i >= 0; n <= 10000; n >= 10
// The counter of the outer loop passes through the inner loop unchanged.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), work = 0;
  if (n < 10 || n > 10000) return 0;
  int i = 0;
  while (i < n) {
    int j = 0;
    while (j < n) {
      j++;
      work = j - work;
    }
    i++;
  }
  if (i > 10000) reach_error();
  if (i != n) reach_error();
  return 0;
}
