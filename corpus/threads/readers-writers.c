// Two readers and a writer; the first reader locks writers out, the last one lets them
// in. BROKEN: readers are counted without a lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
int readers, first, second;

static void count(int change)
{
#ifndef BROKEN
    pthread_mutex_lock(&count_lock);
#endif
    readers += change;
    if (change == 1 && readers == 1)
        pthread_mutex_lock(&room);
    if (change == -1 && readers == 0)
        pthread_mutex_unlock(&room);
#ifndef BROKEN
    pthread_mutex_unlock(&count_lock);
#endif
}

void *reader(void *unused)
{
    count(1);
    assert(first == second);
    count(-1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_mutex_lock(&room);
    first++;
    second++;
    pthread_mutex_unlock(&room);
    return 0;
}
