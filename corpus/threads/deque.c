// A deque from whose tail its owner takes and from whose head a thief steals (Chase and
// Lev, SPAA 2005), with two tasks. BROKEN: the owner does not compete for the last one.
#include <assert.h>
#include <pthread.h>

_Atomic int head, tail = 2, done[2];

static int take(void)
{
    int last = tail - 1;
    tail = last;
    int first = head;
    if (first > last) {
        tail = first;
        return -1;
    }
    if (first < last)
        return last;
#ifndef BROKEN
    if (!__sync_bool_compare_and_swap(&head, first, first + 1))
        last = -1;
    tail = first + 1;
#endif
    return last;
}

static int steal(void)
{
    int first = head;
    if (first >= tail)
        return -1;
    return __sync_bool_compare_and_swap(&head, first, first + 1) ? first : -1;
}

static void run(int task)
{
    if (task >= 0)
        assert(++done[task] == 1);
}

void *thief(void *unused)
{
    run(steal());
    run(steal());
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, thief, 0);
    run(take());
    run(take());
    return 0;
}
