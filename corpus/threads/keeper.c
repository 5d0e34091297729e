// A thread waits for news; whoever brings them needs a lock. With BROKEN the thread
// keeps that lock while it sleeps, and `main` waits for the one who waits for it.
#include <pthread.h>

pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t news = PTHREAD_COND_INITIALIZER;
pthread_t keeper, visitor;
int is_told;

void *keep(void *unused)
{
#ifdef BROKEN
    pthread_mutex_lock(&door);
#endif
    pthread_mutex_lock(&lock);
    if (!is_told)
        pthread_cond_wait(&news, &lock);
    pthread_mutex_unlock(&lock);
#ifdef BROKEN
    pthread_mutex_unlock(&door);
#endif
    return 0;
}

void *visit(void *unused)
{
    pthread_create(&keeper, 0, keep, 0);
    pthread_mutex_lock(&door);
    pthread_mutex_lock(&lock);
    is_told = 1;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&door);
    return 0;
}

int main(void)
{
    pthread_create(&visitor, 0, visit, 0);
    pthread_join(visitor, 0);
    return 0;
}
