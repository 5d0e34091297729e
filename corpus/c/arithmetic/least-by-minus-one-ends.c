//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, symba, kind, bmc-bv
// The machine ends the program where the quotient overflows, asked or not.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int least = -2147483647 - 1;
  if (y == 0)
    return 0;
  if (x > 0) {
    int q = least / y;
    if (y == -1)
      reach_error();
    return q;
  }
  int r = x % y;
  if (x == least && y == -1)
    reach_error();
  return r;
}
