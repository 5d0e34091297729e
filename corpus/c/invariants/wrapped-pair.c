//~ unreach-call holds
//@ facts affine: ((long long)a - 3 * (long long)b) % 4294967296 == 0
//@ decided-by: cegar-invariants, symba, kind, ase-bv, cegar-bv, kind-bv
// An equation modulo 2^32: it survives that both numbers wrap, at different times.
extern void reach_error(void);

int main(void) {
  unsigned a = 0, b = 0;
  while (1) {
    if (a != 3 * b) reach_error();
    a += 3;
    b++;
  }
}
