//~ unreach-call holds
//@ decided-by: ase, cegar, cegar-invariants, symba, pdr
// Nobody knows where x and y begin, but they begin at the same number.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  long x = __VERIFIER_nondet_int(), y = x;
  while (__VERIFIER_nondet_int()) {
    if (x > 1000000) break;
    x++;
    y++;
  }
  while (x > 0) {
    x--;
    y--;
  }
  if (y > 0) reach_error();
}
