// One thread puts any two numbers into a box on the heap, another one takes them
// out, in the same order. With BROKEN the second number may go in before the first
// was taken.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t lock;
    int full;
    int letter;
};

int __VERIFIER_nondet_int(void);

int sent[2], received[2];

void *sender(void *argument)
{
    struct box *box = argument;
    for (int i = 0; i < 2; i++) {
        int letter = __VERIFIER_nondet_int();
        sent[i] = letter;
        pthread_mutex_lock(&box->lock);
#ifndef BROKEN
        while (box->full) {
            pthread_mutex_unlock(&box->lock);
            pthread_mutex_lock(&box->lock);
        }
#endif
        box->letter = letter;
        box->full = 1;
        pthread_mutex_unlock(&box->lock);
    }
    return 0;
}

int main(void)
{
    struct box *box = malloc(sizeof *box);
    if (!box)
        return 1;
    pthread_mutex_init(&box->lock, 0);
    box->full = 0;
    pthread_t thread;
    pthread_create(&thread, 0, sender, box);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&box->lock);
        while (!box->full) {
            pthread_mutex_unlock(&box->lock);
            pthread_mutex_lock(&box->lock);
        }
        received[i] = box->letter;
        box->full = 0;
        pthread_mutex_unlock(&box->lock);
        assert(received[i] == sent[i]);
    }
    return 0;
}
