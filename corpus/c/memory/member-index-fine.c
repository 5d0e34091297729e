// Indices stay in their arrays; the last array of a record stands for more.
//~ object-bounds holds
//@ decided-by: bmc, bmc-bv
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct s { int rows[2][3]; char rest[1]; };
int main(void) {
  struct s *s = malloc(sizeof *s + 7);
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 1 || j < 0 || j > 2)
    return 0;
  s->rows[i][j] = 1;
  s->rest[7] = 0;
  return s->rows[i][j];
}
