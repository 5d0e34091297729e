//~ unreach-call holds
//@ decided-by: ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Functions whose results follow from what they are given are no inputs.
#include <arpa/inet.h>
#include <inttypes.h>
#include <strings.h>
#include <unistd.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    if (ntohl(htonl(x)) != x || htons(0x1234) != 0x3412)
        reach_error();
    if (ffs(8) != 4 || imaxabs(-3) != 3 || getpid() != getpid())
        reach_error();
    return 0;
}
