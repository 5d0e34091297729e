// A lock protects a cell, and is destroyed when nobody needs it any more. BROKEN: the
// thread that waits gives it back though it was never taken, and it is destroyed too early.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int cell;

void *worker(void *unused)
{
#ifndef BROKEN
    pthread_mutex_lock(&lock);
    cell++;
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    cell++;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    pthread_mutex_destroy(&lock);
    return 0;
}
