//~ unreach-call holds
//~ overflow holds
//@ decided-by: ase, bmc
// The depth is bounded by what is assumed, and by nothing in the function.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int power(int n) {
    if (n == 0)
        return 1;
    return 2 * power(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 8)
        return 0;
    if (power(n) > 256)
        reach_error();
    return 0;
}
