//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The static variable was not cleared before.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int steps = 1;

void walk(int n) {
    if (n <= 0)
        return;
    steps++;
    walk(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    walk(n);
    if (steps == 12)
        reach_error();
    return 0;
}
