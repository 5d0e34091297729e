// A record is filled in and then published through a pointer, as with RCU: readers never
// wait. BROKEN: it is published first.
#include <assert.h>
#include <pthread.h>

struct record {
    int a, b;
};
struct record old = {1, 1}, fresh;
struct record *_Atomic current = &old;

void *reader(void *unused)
{
    struct record *seen = current;
    assert(seen->a == seen->b);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
#ifdef BROKEN
    current = &fresh;
    fresh.a = 2;
    fresh.b = 2;
#else
    fresh.a = 2;
    fresh.b = 2;
    current = &fresh;
#endif
    pthread_join(thread, 0);
    return 0;
}
