//~ltl holds rank [] (started == 1 -> <> "stopped == 1 || failed == 1")
//~ltl violated rank <> (stopped == 1)
//~ltl violated bmc [] (failed == 0)
//~ltl violated rank <>[] (started == 1 && stopped == 1)
// `abort` ends a run, and what was shown last stays.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int started, stopped, failed;

int main(void) {
  started = 1;
  if (__VERIFIER_nondet_int() == 17) {
    failed = 1;
    abort();
  }
  stopped = 1;
  return 0;
}
