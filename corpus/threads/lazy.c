// A value that is made when it is first wanted, with double-checked locking. BROKEN:
// the flag is no atomic object, so who sees it set need not see the value.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int value;
#ifdef BROKEN
int ready;
#else
_Atomic int ready;
#endif

static int get(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}

void *user(void *unused)
{
    assert(get() == 42);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    assert(get() == 42);
    pthread_join(thread, 0);
    return 0;
}
