//~ valid-deref violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ native valid-deref: no, the sanitizer does not follow memory from alloca
// As alloca-callee-safe.c, with a pointer that is used behind the return.
static int *made(int value) {
  int *p = __builtin_alloca(sizeof *p);
  *p = value;
  return p;
}

int main(void) {
  int *p = made(3);
  return *p;
}
