// An assignment that reads the object beside it is two steps, _Atomic or not.
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, kind, explicit, ase-bv, bmc-bv, kind-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
_Atomic int count;
void *other(void *p) {
  count = count + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  count++;
  pthread_join(t, 0);
  if (count != 2) reach_error();
  return 0;
}
