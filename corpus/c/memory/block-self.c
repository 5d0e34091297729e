//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A block may hold the pointer that it is copied through.
#include <string.h>
extern void reach_error(void);
struct link { struct link *next; int value; };

int main(void) {
  struct link b = {0, 2}, a = {&a, 1};
  memcpy(a.next, &b, sizeof b);
  if (a.value == 2 && a.next == 0)
    reach_error();
  return 0;
}
