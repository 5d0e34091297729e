// A record that is copied without a lock is seen half old and half new, also where it is passed and returned.
//~ unreach-call violated
//@ decided-by: bmc, cegar, ase-bv, bmc-bv, cegar-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct pair { int a, b[2]; } shared, ones = {1, {1, 1}};
struct pair get(void) { return shared; }
int same(struct pair p) { return p.a == p.b[1]; }
void *other(void *p) {
  __builtin_memcpy(&shared, &ones, sizeof shared);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (!same(get())) reach_error();
  return 0;
}
