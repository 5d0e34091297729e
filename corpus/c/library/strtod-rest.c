//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *end;
  if (strtod(".5.", &end) == 0.5 && *end == '.')
    reach_error();
  return 0;
}
