// Treiber's stack (1986), with nodes in an array. BROKEN: the top is compared and
// stored in two steps, so a node may be lost.
#include <assert.h>
#include <pthread.h>

int next[3];
_Atomic int top;

static void push(int node)
{
    for (;;) {
        int old = top;
        next[node] = old;
#ifdef BROKEN
        if (top == old) {
            top = node;
            return;
        }
#else
        if (__sync_bool_compare_and_swap(&top, old, node))
            return;
#endif
    }
}

void *second(void *unused)
{
    push(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    push(1);
    pthread_join(thread, 0);
    assert(top != 0 && next[top] != 0 && next[next[top]] == 0);
    return 0;
}
