// Lazy initialization under a lock.
//~ unreach-call holds
//@ decided-by: ase, bmc, explicit, ase-bv, bmc-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int cells[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int made, value; pthread_mutex_t m;
void get(void) {
  pthread_mutex_lock(&m);
  if (!made) { value++; made = 1; }
  pthread_mutex_unlock(&m);
}
void *other(void *p) { get(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  get();
  pthread_join(t, 0);
  if (value != 1) reach_error();
  return 0;
}
