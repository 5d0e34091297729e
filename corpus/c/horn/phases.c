//~ unreach-call holds
//@ decided-by: pdr
// While x is negative y grows. That no sum wraps needs a slope of its own, which is why wraps are
// set aside first.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = -30;
  int y = __VERIFIER_nondet_int();
  if (y <= -500 || y >= 100000) return 0;
  while (x < 0) {
    x += y;
    y += 2;
  }
  if (y <= 0) reach_error();
  return 0;
}
