//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A pointer inside of what unknown code was given leads on.
extern void reach_error(void);
extern void keep(void *);
extern void later(void);
struct inner { int value; };
struct outer { int number; struct inner *inner; };

int main(void) {
  struct inner inner = {1};
  struct outer outer = {2, &inner};
  keep(&outer);
  inner.value = 0;
  later();
  if (inner.value == 7)
    reach_error();
  return 0;
}
