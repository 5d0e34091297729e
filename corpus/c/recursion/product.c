//~ unreach-call holds
//@ decided-by: bmc
// Multiplication by addition commutes.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int times(int a, int b) {
    if (b == 0)
        return 0;
    return a + times(a, b - 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || a > 1000 || b < 0 || b > 1000)
        return 0;
    if (times(a, b) != times(b, a))
        reach_error();
    return 0;
}
