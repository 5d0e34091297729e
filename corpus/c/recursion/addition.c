//~ unreach-call holds
//@ decided-by: ase, bmc
// Addition by counting; the sum of the arguments never changes.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int plus(int a, int b) {
    if (b == 0)
        return a;
    if (b > 0)
        return plus(a + 1, b - 1);
    return plus(a - 1, b + 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000000 || b < -1000000 || b > 1000000)
        return 0;
    if (plus(a, b) != a + b)
        reach_error();
    return 0;
}
