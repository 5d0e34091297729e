//~ unreach-call holds
//~ division holds
//@ decided-by: ase, bmc, cegar, symba, kind
// The greatest common divisor of positive numbers is positive.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int gcd(int a, int b) {
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a <= 0 || b <= 0)
        return 0;
    int g = gcd(a, b);
    if (g <= 0)
        reach_error();
    return a / g;
}
