// Each thread works on its own cell, then adds to a counter under a mutex.
//~ unreach-call holds
//@ decided-by: explicit
#ifndef N
#define N 2
#endif
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int cells[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int data[N], counter;
pthread_t threads[N];
pthread_mutex_t mutex;
void *work(void *argument) {
  int *own = argument;
  *own = 1;
  *own = *own + 1;
  *own = *own + 1;
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, work, &data[i]);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  if (counter != N) reach_error();
  return 0;
}
