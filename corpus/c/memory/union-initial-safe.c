//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
static union { struct { int a, b, c; } numbers; char bytes[16]; } u = {{1, 256, 0}};

int main(void) {
  char *p = u.bytes;
  int *q = (int *)&u;
  if (q[1] != 256 || p[0] != 1 || p[5] != 1 || p[15] != 0)
    reach_error();
  q[2] = 7;
  if (p[8] != 7)
    reach_error();
  return 0;
}
