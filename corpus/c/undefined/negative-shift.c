//~ overflow violated
//@ decided-by: bmc, bmc-bv
// A negative number must not be shifted to the left.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int() & 1 ? -1 : 0;
  return (x << 1) != 0;
}
