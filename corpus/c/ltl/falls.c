//~ltl holds rank <> (left == 0)
//~ltl holds rank [] (phase == 1 -> <> phase == 2)
//~ltl violated rank [] (phase == 2 -> <> phase == 1)
//~ltl holds rank (left > 0) U (left == 0)
// Two counters of which one starts again whenever the other one falls.
extern int __VERIFIER_nondet_int(void);
int left = 10, phase;

int main(void) {
  int inner = 0;
  while (left > 0) {
    phase = 1;
    if (inner > 0) {
      inner--;
    } else {
      inner = __VERIFIER_nondet_int();
      left--;
    }
  }
  phase = 2;
  return 0;
}
