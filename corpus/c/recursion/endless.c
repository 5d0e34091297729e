//~ unreach-call holds
//@ decided-by: ase, bmc
// A recursion without an end: what follows it is never reached.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int forever(unsigned int n) {
    return forever(n + 1);
}

int main(void) {
    forever(__VERIFIER_nondet_int());
    reach_error();
    return 0;
}
