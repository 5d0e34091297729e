//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv
extern void reach_error(void);
static int ready;

__attribute__((constructor)) void prepare(void) { ready = 1; }

int main(void) {
  if (!ready)
    reach_error();
  return 0;
}
