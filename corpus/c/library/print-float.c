//? unreach-call does not repeat
// The text of a float is not known: nothing is violated by what it might be.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  char text[400];
  sprintf(text, "%.1f", 1.5);
  if (text[0] != '1')
    reach_error();
  return 0;
}
