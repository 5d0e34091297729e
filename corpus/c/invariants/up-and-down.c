//~ unreach-call holds
//@ decided-by: ase, cegar, cegar-invariants
// What keeps it safe is x == y and 0 <= x <= 1000000: a relation, and where the
// conditions stop x.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x == 1000000) break;
    x++;
    y++;
  }
  while (x > 0) {
    x--;
    y--;
  }
  if (y != 0) reach_error();
}
