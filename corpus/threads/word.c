// A thread waits for a word and then ends. With BROKEN it waits without a look at
// the flag: if the word was said before, nobody says it again, and `main` waits for
// the thread for ever.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t said = PTHREAD_COND_INITIALIZER;
int is_said;

void *listener(void *unused)
{
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    pthread_cond_wait(&said, &lock);
#else
    while (!is_said)
        pthread_cond_wait(&said, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, listener, 0);
    pthread_mutex_lock(&lock);
    is_said = 1;
    pthread_cond_signal(&said);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
