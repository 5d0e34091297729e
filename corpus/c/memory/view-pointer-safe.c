//~ unreach-call holds
//~ valid-deref holds
//@ decided-by: bmc, bmc-bv
// A pointer may be an integer for a while, or eight bytes.
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct mixed { char c; union { int *p; unsigned long w; unsigned char byte[8]; } u; };

int main(void) {
  int a[4] = {0, 1, 2, 3}, b = 7;
  unsigned k = __VERIFIER_nondet_uint() % 4;
  struct mixed m, n;
  m.c = 1;
  m.u.p = a;
  memcpy(&n, &m, sizeof n);
  n.u.w += k * sizeof *a;
  if (*n.u.p != (int)k)
    reach_error();
  *n.u.p = 9;
  if (a[k] != 9 || b != 7)
    reach_error();
  unsigned long address = (unsigned long)&b;
  unsigned char bytes[8], turned[8];
  memcpy(bytes, &address, sizeof address);
  for (int i = 0; i < 8; i++)
    turned[7 - i] = bytes[i];
  for (int i = 0; i < 8; i++)
    bytes[i] = turned[7 - i];
  int *p;
  memcpy(&p, bytes, sizeof p);
  *p = 8;
  if (b != 8 || a[k] != 9)
    reach_error();
  return 0;
}
