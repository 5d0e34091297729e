// A program of two files and a header: `parallax check main.c stack.c -I include`.
// With room for three numbers it is right; -D STACK_SIZE=2 breaks it.
#include "stack.h"

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int value = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    push(i);
  push(pop() + (value > 0));
  assert(depth() == 3);
  return 0;
}
