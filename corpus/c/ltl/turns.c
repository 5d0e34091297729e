//~ltl holds ltl ([]<> a == 1) || ([]<> b == 1)
//~ltl violated ltl []<> (a == 1)
//~ltl violated ltl <>[] (a == 0)
//~ltl holds cegar [] (a == 0 || b == 0)
//~ltl violated ltl [] (a == 1 -> <> b == 1)
// Now one, now the other: a run that goes round for ever in one way breaks what one
// that goes round in another way does not.
extern int __VERIFIER_nondet_int(void);
int a, b;

int main(void) {
  for (;;) {
    if (__VERIFIER_nondet_int()) {
      a = 1;
      a = 0;
    } else {
      b = 1;
      b = 0;
    }
  }
}
