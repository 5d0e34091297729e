//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
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
