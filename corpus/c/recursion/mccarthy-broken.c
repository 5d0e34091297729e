//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// McCarthy's function gives more than 91 from 102 on.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int ninety_one(int n) {
    if (n > 100)
        return n - 10;
    return ninety_one(ninety_one(n + 11));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (ninety_one(n) != 91)
        reach_error();
    return 0;
}
