//~ unreach-call holds
//@ decided-by: bmc
// No overflow for small arguments, so the sequence is at least linear.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40)
        return 0;
    if (fibonacci(n) < n - 1)
        reach_error();
    return 0;
}
