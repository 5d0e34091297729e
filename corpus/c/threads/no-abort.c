// It wrote nothing else.
//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void abort(void);
int x;
void *other(void *p) { x = 1;  return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (x > 1) reach_error();
  return 0;
}
