//~ unreach-call violated
//~ valid-deref violated
//@ decided-by: ase-bv, bmc-bv
// As view-pointer-safe.c, one element too far.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
union either { int *p; unsigned long w; };

int main(void) {
  int a[4] = {0, 1, 2, 3};
  unsigned k = __VERIFIER_nondet_uint() % 5;
  union either u;
  u.p = a;
  u.w += k * sizeof *a;
  if (*u.p == 3)
    reach_error();
  return 0;
}
