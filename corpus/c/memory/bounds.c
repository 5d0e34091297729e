//~ memory-safety violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, kind, explicit, ase-bv, bmc-bv, cegar-bv
// Only the greatest index is wrong.
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int cells[10] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 10)
    return 0;
  return cells[i];
}
