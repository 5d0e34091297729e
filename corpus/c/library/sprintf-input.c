//~ unreach-call violated
//~ memory-safety holds
//@ decided-by: bmc, bmc-bv
#include <stdio.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char b[4];
  if (sprintf(b, "%u", __VERIFIER_nondet_uchar()) == 3 && b[0] == '2' && b[2] == '5')
    reach_error();
  return 0;
}
