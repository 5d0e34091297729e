// Szymanski's waiting room (ICS 1988) for two threads. BROKEN: the last door is not
// watched.
#include <assert.h>
#include <pthread.h>

_Atomic int flag[2], inside;

static void enter(int me)
{
    int other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3) {}
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4) {}
    }
    flag[me] = 4;
#ifndef BROKEN
    if (me == 1)
        while (flag[0] >= 2) {}
#endif
}

static void leave(int me)
{
    int other = 1 - me;
    if (me == 0)
        while (flag[other] == 2 || flag[other] == 3) {}
    flag[me] = 0;
}

void *second(void *unused)
{
    enter(1);
    assert(++inside == 1);
    inside--;
    leave(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    enter(0);
    assert(++inside == 1);
    inside--;
    leave(0);
    return 0;
}
