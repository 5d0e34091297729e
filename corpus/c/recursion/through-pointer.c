//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, rank, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The recursion goes through a pointer that changes on the way.
extern void reach_error(void);

int first(int n);
int second(int n);
int (*next)(int) = first;

int first(int n) {
    if (n == 0)
        return 0;
    next = second;
    return next(n - 1);
}

int second(int n) {
    if (n == 0)
        return 1;
    next = first;
    return next(n - 1);
}

int main(void) {
    if (first(3) == 1)
        reach_error();
    return 0;
}
