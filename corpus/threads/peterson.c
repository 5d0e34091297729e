// Peterson's algorithm (1981) for two threads. BROKEN: a thread gives way before it says
// that it wants to enter.
#include <assert.h>
#include <pthread.h>

_Atomic int wants[2], turn;
int inside;

static void enter(int me)
{
#ifdef BROKEN
    turn = 1 - me;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = 1 - me;
#endif
    while (wants[1 - me] && turn == 1 - me) {}
}

void *second(void *unused)
{
    enter(1);
    inside++;
    assert(inside == 1);
    inside--;
    wants[1] = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    enter(0);
    inside++;
    assert(inside == 1);
    inside--;
    wants[0] = 0;
    return 0;
}
