//~ltl holds rank <> done
//~ltl holds rank <>[] done
//~ltl violated rank <> (lock.held == 1)
//~ltl holds rank "p->waiting >= 0" U done
//~ltl holds rank [] (lock.held == 1 -> <> lock.held == 0)
//~ltl holds cegar [] "p->held <= 1 && p == &lock"
//~ltl violated bmc [] "p->waiting < 99"
// What a run has shown last it shows for ever, and one whose assumption fails is
// not asked about.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct lock {
  int held;
  int waiting;
} lock;
struct lock *p = &lock;
static int done;

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n < 100);
  p->waiting = n;
  while (p->waiting > 0) {
    p->held = 1;
    p->waiting--;
    p->held = 0;
  }
  done = 1;
  return 0;
}
