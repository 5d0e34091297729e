// With a lock, a record is copied as a whole.
//~ unreach-call holds
//@ decided-by: bmc, cegar, bmc-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int cells[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t m;
struct pair { int a, b[2]; } shared, ones = {1, {1, 1}};
struct pair get(void) {
  pthread_mutex_lock(&m);
  struct pair copy = shared;
  pthread_mutex_unlock(&m);
  return copy;
}
int same(struct pair p) { return p.a == p.b[1]; }
void *other(void *p) {
  pthread_mutex_lock(&m);
  shared = ones;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (!same(get())) reach_error();
  return 0;
}
