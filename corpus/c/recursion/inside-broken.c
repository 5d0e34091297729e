//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The assertion inside fails twenty calls down.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void down(int n, int depth) {
    if (depth == 20)
        reach_error();
    if (n > 0)
        down(n - 1, depth + 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 30)
        down(n, 0);
    return 0;
}
