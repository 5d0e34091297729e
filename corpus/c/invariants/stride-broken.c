//~ unreach-call violated
//@ decided-by: ase, bmc, ase-bv, bmc-bv
// The bound is jumped over.
extern void reach_error(void);

int main(void) {
  int i;
  for (i = 0; i < 1000; i += 3) {
  }
  if (i != 1000) reach_error();
  return 0;
}
