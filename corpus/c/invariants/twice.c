//~ unreach-call holds
//@ decided-by: cegar, cegar-invariants, symba, pdr, kind, cegar-bv, kind-bv
// An equation with a factor that no comparison inside the loop mentions.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x < 100000) {
      x++;
      y += 2;
    }
  }
  if (y != 2 * x) reach_error();
  return 0;
}
