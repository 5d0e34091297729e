//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A static pointer leads into the frame of an outer call.
extern void reach_error(void);

int *outer;

void poke(int n) {
    int own = n;
    if (n == 2)
        outer = &own;
    if (n == 0)
        *outer = 40;
    else
        poke(n - 1);
    if (n == 2 && own == 40)
        reach_error();
}

int main(void) {
    poke(4);
    return 0;
}
