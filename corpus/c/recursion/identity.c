//~ unreach-call holds
//@ decided-by: ase, bmc
// A number counted down and up again, for every number.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int identity(unsigned int n) {
    if (n == 0)
        return 0;
    return identity(n - 1) + 1;
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (identity(n) != n)
        reach_error();
    return 0;
}
