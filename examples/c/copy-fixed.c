// Copies as much of a string as fits and ends it.
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[8], copy[4];
  for (int i = 0; i < 7; i++)
    text[i] = __VERIFIER_nondet_char();
  text[7] = 0;
  int i = 0;
  while (text[i] != 0 && i < 3) {
    copy[i] = text[i];
    i++;
  }
  copy[i] = 0;
  assert(copy[i] == 0 && i <= 3);
  return 0;
}
