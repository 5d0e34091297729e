//~ unreach-call holds
//@ decided-by: ase, bmc
// McCarthy's function: 91 for all numbers up to 101.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int ninety_one(int n) {
    if (n > 100)
        return n - 10;
    return ninety_one(ninety_one(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = ninety_one(n);
    if (n <= 101 && r != 91)
        reach_error();
    if (n > 101 && r != n - 10)
        reach_error();
    return 0;
}
