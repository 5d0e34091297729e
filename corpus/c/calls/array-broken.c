// Nothing is said of how long an array is.
//~ valid-deref violated
//@ args: --function sum --assume n<=4
//@ decided-by: bmc, bmc-bv
int sum(const int *a, unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++)
    s += a[i];
  return s;
}
