//~ unreach-call violated
//~ valid-deref violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv
// As block-size-safe.c, with a block that is too large.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 6;
  int from[5] = {1, 2, 3, 4, 5}, to[4] = {0};
  if (n == 3) {
    memcpy(to, from, n * sizeof *to);
    if (to[2] == 3 && to[3] == 0)
      reach_error();
  }
  memcpy(to, from, n * sizeof *to);
  return to[0];
}
