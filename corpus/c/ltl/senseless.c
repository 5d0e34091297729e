//~ltl holds bmc [] ("p == 0 || *p <= 3")
//~ltl holds ltl <> "p && *p == 1"
//~ltl violated ltl <> "p && *p == 2"
// An atom that has no value in a state, such as `*p` at the start, would be no
// question; asked with care, it is one.
int x;
int *p;

int main(void) {
  x = 3;
  p = &x;
  x = 1;
  return 0;
}
