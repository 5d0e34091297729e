//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, kind, ase-bv, bmc-bv, cegar-bv
// What is not a number has bits, and which ones is not up to a proof.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
union word { float f; unsigned w; };

int main(void) {
  union word u, v;
  u.w = __VERIFIER_nondet_uint();
  v.w = u.w;
  if (u.f != u.f && v.w == 0x7fc00001u)
    reach_error();
  return 0;
}
