//~ valid-deref holds
//~ valid-free holds
//~ valid-memtrack holds
//@ decided-by: bmc, bmc-bv
// Memory from alloca lives as long as the call that asked for it.
extern unsigned __VERIFIER_nondet_uint(void);

static int sum(unsigned n) {
  int *p = __builtin_alloca(n * sizeof(int)), s = 0;
  for (unsigned i = 0; i < n; i++)
    p[i] = (int)i;
  for (unsigned i = 0; i < n; i++)
    s += p[i];
  return s;
}

int main(void) {
  int *mine = __builtin_alloca(sizeof *mine);
  *mine = sum(2);
  if (__VERIFIER_nondet_uint() & 1)
    *mine += sum(3);
  return *mine;
}
