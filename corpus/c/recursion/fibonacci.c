//~ unreach-call holds
//@ decided-by: ase, bmc
// One number of the sequence, with no input at all.
extern void reach_error(void);

int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    if (fibonacci(18) != 2584)
        reach_error();
    return 0;
}
