/* Two counters: the inner one starts again with any value, but the outer one falls
   whenever it does. Every run ends: parallax check countdown.c -p termination */
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  while (x > 0) {
    if (y > 0) {
      y--;
    } else {
      x--;
      y = __VERIFIER_nondet_int();
    }
  }
  return 0;
}
