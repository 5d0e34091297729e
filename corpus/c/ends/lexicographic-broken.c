//~ termination violated
//@ decided-by: rank
// The inner counter may start again without the outer one falling.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0) {
    if (y > 0) {
      y--;
    } else {
      y = __VERIFIER_nondet_int();
    }
  }
  return 0;
}
