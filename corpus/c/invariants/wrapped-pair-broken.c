//~ unreach-call violated
//@ decided-by: ase, bmc, explicit, ase-bv, bmc-bv
// As integers the two do differ once the first has wrapped.
extern void reach_error(void);

int main(void) {
  unsigned char a = 0, b = 0;
  while (1) {
    if (a != 3 * b) reach_error();
    a += 3;
    b++;
  }
}
