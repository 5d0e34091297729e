//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  char *end;
  if (atof("12.5") != 12.5 || strtod("-1e3x", &end) != -1000 || *end != 'x')
    reach_error();
  if (strtod("0.1", 0) != 0.1 || atoi("42") != 42)
    reach_error();
  return 0;
}
