// Binary search with the famous midpoint: `low + high` overflows in a large array.
extern int __VERIFIER_nondet_int(void);

static int midpoint(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int middle = midpoint(low, high);
  return middle < low || middle > high;
}
