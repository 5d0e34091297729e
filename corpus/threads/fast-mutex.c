// Lamport's fast mutual exclusion (TOCS 1987) for two threads: seven accesses where
// nobody else wants to enter. BROKEN: the slow way does not wait until the other thread
// has made up its mind.
#include <assert.h>
#include <pthread.h>

_Atomic int x, y, wants[3], inside;

static void enter(int me)
{
    for (;;) {
        wants[me] = 1;
        x = me;
        if (y != 0) {
            wants[me] = 0;
            while (y != 0) {}
            continue;
        }
        y = me;
        if (x == me)
            return;
        wants[me] = 0;
#ifndef BROKEN
        while (wants[3 - me]) {}
#endif
        if (y == me)
            return;
        while (y != 0) {}
    }
}

static void leave(int me)
{
    y = 0;
    wants[me] = 0;
}

void *second(void *unused)
{
    enter(2);
    assert(++inside == 1);
    inside--;
    leave(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    enter(1);
    assert(++inside == 1);
    inside--;
    leave(1);
    return 0;
}
