//~ unreach-label(ERROR) violated
//~ unreach-label(OTHER) holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x % 2 == 0 && x % 3 == 1)
    goto ERROR;
  if (x % 2 == 0 && x % 4 == 1)
    goto OTHER;
  return 0;
ERROR:
  return 1;
OTHER:
  return 2;
}
