//~ valid-free violated
// Memory from alloca is not the heap's to free.
#include <stdlib.h>

int main(void) {
  int *p = __builtin_alloca(sizeof(int));
  free(p);
  return 0;
}
