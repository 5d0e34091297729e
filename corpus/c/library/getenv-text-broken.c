//~ unreach-call violated
//@ decided-by: bmc
//@ native unreach-call: no, nobody can set the environment from outside
// The text may be any.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  const char *home = getenv("HOME");
  if (home && home[0] == 'x')
    reach_error();
  return 0;
}
