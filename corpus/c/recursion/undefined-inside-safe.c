//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The recursion calls a function that nobody defines; nobody else knows the cell.
extern void reach_error(void);
extern void touch(void);

static int cell;

int walk(unsigned int n) {
    if (n == 0)
        return 0;
    touch();
    return walk(n - 1);
}

int main(void) {
    cell = 0;
    walk(3);
    if (cell != 0)
        reach_error();
    return 0;
}
