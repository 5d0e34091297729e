//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A pointer that travels through a buffer of bytes is still a pointer.
#include <string.h>
extern void reach_error(void);

int main(void) {
  int value = 1;
  int *pointer = &value;
  char buffer[sizeof pointer];
  int *copy;
  memcpy(buffer, &pointer, sizeof pointer);
  memcpy(&copy, buffer, sizeof copy);
  *copy = 5;
  if (value == 5)
    reach_error();
  return 0;
}
