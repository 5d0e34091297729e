//~ unreach-call holds
//@ decided-by: cegar, cegar-invariants, symba
// The bound is met exactly, because it is a multiple of the stride.
extern void reach_error(void);

int main(void) {
  int i;
  for (i = 0; i < 999999; i += 3) {
  }
  if (i != 999999) reach_error();
  return 0;
}
