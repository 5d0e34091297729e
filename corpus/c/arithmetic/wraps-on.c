//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// Other overflows wrap if nobody asks.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0 && x + x < 0)
    reach_error();
  return 0;
}
