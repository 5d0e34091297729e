//~ unreach-call holds
//~ valid-free holds
//@ decided-by: ase, bmc, cegar, ur
// What nobody calls is not reached, whatever else is not modelled.
extern void reach_error(void);
int x;
static void never(void) { reach_error(); }

int main(void) {
  __asm__ volatile("" : : "r"(&x) : "memory");
  return x;
}
