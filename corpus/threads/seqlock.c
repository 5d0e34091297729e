// A writer makes a counter odd while it writes; a reader begins again if the counter was
// odd or has changed. What is guarded is atomic itself, for it is read while it is
// written. BROKEN: the counter is not made odd before.
#include <assert.h>
#include <pthread.h>

_Atomic unsigned sequence;
_Atomic int first, second;

void *reader(void *unused)
{
    unsigned before;
    int a, b;
    do {
        before = sequence;
        a = first;
        b = second;
    } while (before % 2 != 0 || sequence != before);
    assert(a == b);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
#ifndef BROKEN
    sequence++;
#endif
    first = 1;
    second = 1;
    sequence++;
    return 0;
}
