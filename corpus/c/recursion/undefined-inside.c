//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv
// A function that nobody defines was given a pointer; another one is called inside
// the recursion. What one of them knows, the other may know as well.
extern void reach_error(void);
extern void keep(int *cell);
extern void touch(void);

int cell;

int walk(unsigned int n) {
    if (n == 0)
        return 0;
    touch();
    return walk(n - 1);
}

int main(void) {
    keep(&cell);
    cell = 0;
    walk(3);
    if (cell != 0)
        reach_error();
    return 0;
}
