//~ltl holds ltl <> (x == 2)
//~ltl violated bmc [] (x != 2)
//~ltl holds bmc [] (x != 9)
//~ltl holds ltl x == 5
//~ltl violated ltl <> (x == 6)
//~ltl holds ltl <> (s.a == 7 && <> s.a == 0)
//~ltl violated bmc [] (s.b == 0)
//~ltl holds ltl <> (counted == 3)
//~ltl violated ltl (counted < 2) W (x == 9)
// Through pointers, in functions, by copies of records and of bytes: however an
// atom changes, the formula sees it.
#include <string.h>

struct pair {
  int a;
  int b;
} s;
int x = 5, counted;

static void set(int *to, int value) {
  *to = value;
  counted++;
}

int main(void) {
  struct pair other = {7, 8};
  set(&x, 2);
  set(&x, 3);
  s = other;
  memset(&s, 0, sizeof s);
  set(&x, 4);
  return 0;
}
