//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// A lock that is held cannot be taken, in one thread as in many.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  if (pthread_mutex_trylock(&mutex) != 0)
    reach_error();
  return 0;
}
