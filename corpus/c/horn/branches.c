//~ unreach-call violated
//@ decided-by: ase, bmc, pdr, kind, ase-bv, bmc-bv
// Two steps between the same places: the derivation says values, not which way was taken.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int s = 0;
  for (int i = 0; i < 6; i++) {
    if (__VERIFIER_nondet_int()) s += 5;
    else s -= 2;
  }
  if (s == 16) reach_error();
  return 0;
}
