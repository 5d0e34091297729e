//~ sequencing violated
//@ decided-by: bmc, bmc-bv
// The access on the left happens on one way only.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int(), i = 1;
  return (c ? i++ : 0) + i;
}
