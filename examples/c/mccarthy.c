// McCarthy's function: it calls itself on its own result, and is 91 for every
// number up to 101.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int f(int n) {
  if (n > 100)
    return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 101 && f(n) != 91)
    reach_error();
  return 0;
}
