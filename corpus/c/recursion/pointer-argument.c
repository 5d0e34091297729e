//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The recursive call changes a local variable of its caller.
extern void reach_error(void);

int fill(int *cell, int n) {
    int own = 0;
    if (n == 0) {
        *cell = 7;
        return 0;
    }
    fill(&own, n - 1);
    if (n == 3)
        *cell = own;
    return own;
}

int main(void) {
    int cell = 0;
    if (fill(&cell, 1) == 7)
        reach_error();
    return 0;
}
