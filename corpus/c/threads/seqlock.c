// A reader that sees an even number twice has seen no write.
//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, explicit, ase-bv, bmc-bv, kind-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int sequence, a, b;
void *writer(void *p) {
  sequence = 1;
  a = 1;
  b = 1;
  sequence = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  int before, x, y;
  pthread_create(&t, 0, writer, 0);
  before = sequence;
  x = a;
  y = b;
  if (before == sequence && before % 2 == 0 && x != y) reach_error();
  return 0;
}
