//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// The bytes of one member of a union are those of the one that has a value.
extern void reach_error(void);
static union { int number; char bytes[8]; } u = {256};

int main(void) {
  char *p = u.bytes;
  int *q = &u.number;
  if (*q == 256 && p[1] == 1 && p[0] == 0)
    reach_error();
  return 0;
}
