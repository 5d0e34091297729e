//~ unreach-call holds
//@ decided-by: ase, bmc
// A recursive function whose only effect is on a static variable.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int steps;

void walk(int n) {
    if (n <= 0)
        return;
    steps++;
    walk(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    walk(n);
    if (steps != n)
        reach_error();
    return 0;
}
