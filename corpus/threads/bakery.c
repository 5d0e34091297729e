// Lamport's bakery (CACM 1974) for two threads; each takes a number larger than the
// other's. BROKEN: nobody says that it is taking a number, so both may take the same
// one and overlook each other.
#include <assert.h>
#include <pthread.h>

_Atomic int choosing[2], number[2], inside;

static void enter(int me)
{
    int other = 1 - me;
#ifndef BROKEN
    choosing[me] = 1;
#endif
    number[me] = number[other] + 1;
    choosing[me] = 0;
    while (choosing[other]) {}
    while (number[other] != 0 &&
           (number[other] < number[me] || (number[other] == number[me] && other < me))) {}
}

static void leave(int me)
{
    number[me] = 0;
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
