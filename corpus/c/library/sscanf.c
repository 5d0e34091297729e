//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int a = 7, b = 8, n = -1;
  char w[8];
  if (sscanf("12,x", "%d,%d", &a, &b) != 1 || a != 12 || b != 8)
    reach_error();
  if (sscanf("ab  cd:5x", "%7s %*2[a-d]:%n", w, &n) != 1 || n != 7 || w[1] != 'b' || w[2])
    reach_error();
  if (sscanf("", "%d", &n) != -1)
    reach_error();
  return 0;
}
