//~ unreach-call holds
//@ decided-by: ase, bmc, ase-bv, bmc-bv, cegar-bv
// A free lock can be taken.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  if (pthread_mutex_trylock(&mutex) != 0)
    reach_error();
  pthread_mutex_unlock(&mutex);
  if (pthread_mutex_trylock(&mutex) != 0)
    reach_error();
  return 0;
}
