// A buffer of one place with a condition variable for each side. BROKEN: one variable
// for both sides of two consumers and a producer, and a signal that wakes one of them:
// it may be the wrong one.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
int count, taken;

#ifdef BROKEN
#define empty full
#endif

void *consumer(void *unused)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&full, &lock);
    assert(count == 1);
    count--;
    taken++;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void put(void)
{
    pthread_mutex_lock(&lock);
    while (count == 1)
        pthread_cond_wait(&empty, &lock);
    count++;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, consumer, 0);
    pthread_create(&two, 0, consumer, 0);
    put();
    put();
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(taken == 2);
    return 0;
}
