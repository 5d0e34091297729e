//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
#include <threads.h>
extern void reach_error(void);
static once_flag flag = ONCE_FLAG_INIT;
static int count;

static void prepare(void) { count++; }

int main(void) {
  call_once(&flag, prepare);
  if (count == 1)
    reach_error();
  return 0;
}
