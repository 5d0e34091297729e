//~ unreach-call holds
//@ decided-by: ase, bmc
// A call that ends the program never returns a bad value.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int positive(int n) {
    if (n == 0)
        return 1;
    if (n < 0)
        exit(1);
    return positive(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (positive(n) != 1)
        reach_error();
    if (n < 0)
        reach_error();
    return 0;
}
