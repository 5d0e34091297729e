//~ unreach-call holds
//@ decided-by: cegar-invariants, symba, kind, pdr-bv
//@ facts intervals: best <= 49; best >= 0; i <= 100; i >= 0
// Values pass through an array that nothing is known of.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int table[100];

int main(void) {
  int best = 0, i;
  for (i = 0; i < 100; i++) {
    table[i] = __VERIFIER_nondet_int();
    int value = table[i];
    if (value > best && value < 50) best = value;
  }
  if (best > 49) reach_error();
  if (i != 100) reach_error();
  return 0;
}
