//~ unreach-call violated
//@ decided-by: bmc
// 32 bits beside 64, with another relation.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned a = 0;
  unsigned long long b = 0;
  while (__VERIFIER_nondet_int()) {
    a += 12;
    b += 31;
  }
  if (5 * a != 2 * (unsigned)b) reach_error();
}
