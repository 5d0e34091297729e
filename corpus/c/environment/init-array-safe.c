//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv
extern void reach_error(void);
static int ready;

static void prepare(void) { ready = 1; }
__attribute__((section(".init_array"), used)) static void (*entry)(void) = prepare;

int main(void) {
  if (!ready)
    reach_error();
  return 0;
}
