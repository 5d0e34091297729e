//~ unreach-call violated
//~ sequencing holds
//@ decided-by: bmc, bmc-bv
// The callee reaches a local variable of its caller.
extern void reach_error(void);

static int set(int *p) { *p = 5; return 1; }

int main(void) {
  int x = 0;
  int sum = set(&x) + x;
  if (sum == 1)
    reach_error();
  return 0;
}
