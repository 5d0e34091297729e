// Dekker's algorithm for two threads. BROKEN: whose turn it is does not wait until the
// other one is out.
#include <assert.h>
#include <pthread.h>

_Atomic int wants[2], turn;
int inside;

static void enter(int me)
{
    int other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn == other) {
            wants[me] = 0;
            while (turn == other) {}
            wants[me] = 1;
        }
#ifdef BROKEN
        else {
            return;
        }
#endif
    }
}

static void leave(int me)
{
    turn = 1 - me;
    wants[me] = 0;
}

void *second(void *unused)
{
    enter(1);
    inside++;
    assert(inside == 1);
    inside--;
    leave(1);
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
    leave(0);
    return 0;
}
