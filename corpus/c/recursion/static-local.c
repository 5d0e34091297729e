//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A static local variable is one for all calls.
extern void reach_error(void);

int calls(int n) {
    static int count;
    count++;
    if (n > 0)
        calls(n - 1);
    return count;
}

int main(void) {
    if (calls(5) == 6)
        reach_error();
    return 0;
}
