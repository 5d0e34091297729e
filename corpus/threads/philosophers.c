// Three philosophers and three forks. The last one takes the forks in the other order.
// BROKEN: all take the left one first.
#include <pthread.h>

pthread_mutex_t forks[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int meals[3];

static void eat(int seat, int first, int second)
{
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[seat]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
}

void *one(void *unused)
{
    eat(0, 0, 1);
    return unused;
}

void *two(void *unused)
{
    eat(1, 1, 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
#ifdef BROKEN
    eat(2, 2, 0);
#else
    eat(2, 0, 2);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    return meals[0] + meals[1] + meals[2] == 3 ? 0 : 1;
}
