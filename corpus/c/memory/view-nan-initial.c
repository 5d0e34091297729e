//~ unreach-call holds
//@ decided-by: ase-bv, bmc-bv, cegar-bv, kind-bv
// What is not a number before the start is none after it.
extern void reach_error(void);
union word { float f; unsigned w; };
static union word u = {__builtin_nanf("")};
static struct { char c; union word u; } inside = {1, {__builtin_nanf("")}}, *p = &inside;

int main(void) {
  if (p->c != 1 || (p->u.w & 0x7f800000u) != 0x7f800000u && p->u.f == p->u.f && p->c != 1)
    reach_error();
  u.w |= 0x7fc00000u;
  if (u.f == u.f)
    reach_error();
  return 0;
}
