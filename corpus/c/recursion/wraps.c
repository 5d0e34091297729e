//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Counting down from a negative number comes round by a wrap; that takes long,
// but a smaller type shows it too.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char up(unsigned char n) {
    if (n == 0)
        return 0;
    return up(n + 1) + 1;
}

int main(void) {
    if (up(__VERIFIER_nondet_uchar()) == 200)
        reach_error();
    return 0;
}
