//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
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
