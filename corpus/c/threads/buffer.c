// A buffer of one item: waits are in loops.
//~ unreach-call holds
//@ decided-by: ase, explicit, ase-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int cells[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
typedef struct { int cells[12]; } pthread_cond_t;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int count, item; pthread_mutex_t m; pthread_cond_t more, room;
void *produce(void *p) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 1) pthread_cond_wait(&room, &m);
    count++;
    item = i;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&more, &m);
    if (item != i) reach_error();
    count--;
    pthread_cond_signal(&room);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
