//~ unreach-call violated
//@ decided-by: bmc
// The same, with another relation.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    a += 12;
    b += 30;
  }
  if (5 * a != 2 * b + (a == 24)) reach_error();
}
