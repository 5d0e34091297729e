//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, kind
// The assertion is inside the recursive function.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void down(int n, int bound) {
    if (n > bound)
        reach_error();
    if (n > 0)
        down(n - 1, bound);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int bound = __VERIFIER_nondet_int();
    if (n <= bound && bound > 5)
        down(n, bound);
    return 0;
}
