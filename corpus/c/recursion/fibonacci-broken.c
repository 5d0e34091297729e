//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The sequence does not stay above its argument.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30)
        return 0;
    if (fibonacci(n) < n)
        reach_error();
    return 0;
}
