//~ termination holds
// Recursion is cut off where there is no room, which is no end.
extern int __VERIFIER_nondet_int(void);

static int down(int n) { return n <= 0 ? 0 : down(n - 1); }

int main(void) { return down(__VERIFIER_nondet_int()); }
