//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// What a recursive call writes is seen after it, not what was there before.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int last;

void deepest(int n) {
    last = n;
    if (n > 0)
        deepest(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    last = n;
    deepest(n);
    if (last != n)
        reach_error();
    return 0;
}
