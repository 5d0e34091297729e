// Two threads count in a record on the stack of `main`, behind its lock; before
// `main` writes there, nobody knows what it holds. With BROKEN `main` looks before
// the second thread has ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct device {
    pthread_mutex_t lock;
    int state;
    int users;
};

int __VERIFIER_nondet_int(void);

void *user(void *argument)
{
    struct device *device = argument;
    pthread_mutex_lock(&device->lock);
    device->state = 1;
    device->users = device->users + 1;
    pthread_mutex_unlock(&device->lock);
    return 0;
}

int main(void)
{
    struct device device;
    pthread_t first, second;
    if (__VERIFIER_nondet_int())
        return 1;
    pthread_mutex_init(&device.lock, 0);
    device.state = 0;
    device.users = 0;
    pthread_create(&first, 0, user, &device);
    pthread_create(&second, 0, user, &device);
    pthread_join(first, 0);
#ifndef BROKEN
    pthread_join(second, 0);
#endif
    assert(device.state == 1);
    assert(device.users == 2);
    return 0;
}
