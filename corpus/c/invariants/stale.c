//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, kind, bmc-bv, kind-bv
// The last value of a variable of a function is not its value in the next call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int count(int limit) {
  int i = 0;
  while (i < limit) i++;
  return i;
}

int main(void) {
  int a = count(3);
  int b = count(5);
  if (a + b == 8) reach_error();
  return 0;
}
