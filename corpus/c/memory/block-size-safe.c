//~ unreach-call holds
//~ valid-deref holds
//@ decided-by: bmc
// Blocks whose size is known only when the program runs.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = 1 + __VERIFIER_nondet_uint() % 3;
  int from[4] = {1, 2, 3, 4}, to[4] = {0};
  memcpy(to, from, n * sizeof *to);
  if (to[n - 1] != (int)n || to[n] != 0)
    reach_error();
  memmove(from + 1, from, n * sizeof *from);
  if (from[n] != (int)n)
    reach_error();
  char text[4] = "abc";
  memset(text, 'x', n);
  if (text[n - 1] != 'x' || text[3] != 0)
    reach_error();
  int *p = malloc(n * sizeof *p);
  p[n - 1] = 5;
  p = realloc(p, (n + 1) * sizeof *p);
  p[n] = 6;
  if (p[n - 1] != 5)
    reach_error();
  free(p);
  return 0;
}
