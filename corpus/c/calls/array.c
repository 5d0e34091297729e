// An array is as long as is said of it.
//~ valid-deref holds
//@ args: --function sum --assume n<=a_elements
//@ decided-by: bmc, bmc-bv
int sum(const int *a, unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++)
    s += a[i];
  return s;
}
