// Tickets are drawn and served in order. BROKEN: a ticket is read and then counted, in
// two steps.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned drawn, served;
int inside;

static void enter(void)
{
#ifdef BROKEN
    unsigned mine = drawn;
    drawn = mine + 1;
#else
    unsigned mine = drawn++;
#endif
    while (served != mine) {}
}

void *second(void *unused)
{
    enter();
    inside++;
    assert(inside == 1);
    inside--;
    served++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    enter();
    inside++;
    assert(inside == 1);
    inside--;
    served++;
    return 0;
}
