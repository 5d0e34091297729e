//~ valid-memtrack violated
//~ valid-memcleanup violated
//~ valid-deref holds
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = malloc(8);
  free(p);
  return 0;
}
