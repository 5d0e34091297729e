//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// To take a lock twice is to wait for ever.
#include <pthread.h>
extern void reach_error(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  reach_error();
  return 0;
}
