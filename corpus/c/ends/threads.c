//? termination threads
// Threads may wait for each other, which is no end.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *none) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  return none;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  return 0;
}
