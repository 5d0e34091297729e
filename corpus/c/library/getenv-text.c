//~ unreach-call holds
// The text of a variable of the environment ends.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  const char *home = getenv("HOME");
  if (home && home[255])
    reach_error();
  return 0;
}
