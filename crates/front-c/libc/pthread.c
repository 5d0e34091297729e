/*
 * Models of <pthread.h>, <semaphore.h> and the locks of <threads.h>. Creation
 * of a thread never fails; a thread is its number. In a program that does not
 * create threads, one that waits for another waits for ever.
 *
 * The state of a lock is in the first int of its object and zero while it is
 * free, as the static initializers have it. Waiting on a condition variable
 * gives the mutex back, lets others move, and takes it again: POSIX allows it
 * to end without a signal, so signals matter only where it is asked whether all
 * threads wait: who sleeps and was not woken does. A wait with a time limit may
 * end at any time, and what is taken within one is taken or not when it ends.
 *
 * `__parallax_lock_*` are the demands of lock discipline.
 */

enum { AGAIN = 11, BUSY = 16, DEADLOCK = 35, NOT_OWNER = 1, TIMED_OUT = 110 };

int __parallax_any_int(void);
_Bool __parallax_any_bool(void);
unsigned long __parallax_thread_spawn(void *(*start)(void *), void *argument);
void *__parallax_thread_join(unsigned long thread);
void __parallax_thread_exit(void *result);
unsigned long __parallax_thread_self(void);
void __parallax_thread_yield(void);
int __parallax_thread_mark(void);
void __parallax_thread_sleep(void *condition);
void __parallax_thread_rise(void);
void __parallax_thread_wake(void *condition, int thread);
void __parallax_thread_wake_all(void *condition);
void __parallax_lock_mine(int *cell);
void __parallax_lock_not_mine(int *cell);
void __parallax_lock_held(int *cell);
void __parallax_lock_free(int *cell);
void __parallax_thread_lock(int *cell);
void __parallax_thread_unlock(int *cell);
void __parallax_thread_destructor(void);
void __parallax_atomic_begin(void);
void __parallax_atomic_when(int *cell);
void __parallax_atomic_end(void);

/* Threads. */

int __parallax_pthread_create(unsigned long *thread, const void *attributes,
                              void *(*start)(void *), void *argument)
{
    *thread = __parallax_thread_spawn(start, argument);
    return 0;
}

int __parallax_pthread_join(unsigned long thread, void **result)
{
    void *value = __parallax_thread_join(thread);
    if (result)
        *result = value;
    return 0;
}

void __parallax_pthread_exit(void *result)
{
    __parallax_thread_exit(result);
}

unsigned long __parallax_pthread_self(void)
{
    return __parallax_thread_self();
}

int __parallax_pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int __parallax_sched_yield(void)
{
    __parallax_thread_yield();
    return 0;
}

int __parallax_pthread_yield(void)
{
    __parallax_thread_yield();
    return 0;
}

unsigned __parallax_sleep(unsigned seconds)
{
    __parallax_thread_yield();
    return 0;
}

int __parallax_usleep(unsigned microseconds)
{
    __parallax_thread_yield();
    return 0;
}

int __parallax_nanosleep(const void *time, void *rest)
{
    __parallax_thread_yield();
    return 0;
}

/*
 * Mutexes: lock, count, owner, and the kind where the static initializers of
 * the GNU library have it: 0 normal, 1 recursive, 2 checked.
 */

enum { LOCKED = 0, COUNT = 1, OWNER = 2, KIND = sizeof(void *) == 8 ? 4 : 3 };

int __parallax_pthread_mutexattr_init(int *attributes)
{
    *attributes = 0;
    return 0;
}

int __parallax_pthread_mutexattr_settype(int *attributes, int kind)
{
    *attributes = kind;
    return 0;
}

int __parallax_pthread_mutex_init(int *mutex, const int *attributes)
{
    mutex[LOCKED] = 0;
    mutex[COUNT] = 0;
    mutex[OWNER] = 0;
    mutex[KIND] = attributes ? *attributes : 0;
    return 0;
}

int __parallax_pthread_mutex_lock(int *mutex)
{
    if (mutex[KIND] == 0) {
        __parallax_lock_not_mine(mutex);
        __parallax_thread_lock(mutex);
        return 0;
    }
    int self = (int)__parallax_thread_self() + 1;
    if (mutex[OWNER] == self) {
        if (mutex[KIND] & 2)
            return DEADLOCK;
        mutex[COUNT]++;
        return 0;
    }
    __parallax_thread_lock(mutex);
    mutex[OWNER] = self;
    return 0;
}

int __parallax_pthread_mutex_trylock(int *mutex)
{
    int result = BUSY;
    int self = (int)__parallax_thread_self() + 1;
    __parallax_atomic_begin();
    if (mutex[LOCKED] == 0) {
        mutex[LOCKED] = __parallax_thread_mark();
        if (mutex[KIND] != 0)
            mutex[OWNER] = self;
        result = 0;
    } else if (mutex[KIND] == 1 && mutex[OWNER] == self) {
        mutex[COUNT]++;
        result = 0;
    }
    __parallax_atomic_end();
    return result;
}

int __parallax_pthread_mutex_timedlock(int *mutex, const void *time)
{
    int result = __parallax_pthread_mutex_trylock(mutex);
    return result == BUSY ? TIMED_OUT : result;
}

int __parallax_pthread_mutex_destroy(int *mutex)
{
    __parallax_lock_free(mutex);
    return 0;
}

int __parallax_pthread_mutex_unlock(int *mutex)
{
    if (mutex[KIND] != 0) {
        if (mutex[OWNER] != (int)__parallax_thread_self() + 1)
            return NOT_OWNER;
        if (mutex[COUNT] > 0) {
            mutex[COUNT]--;
            return 0;
        }
        mutex[OWNER] = 0;
    }
    __parallax_lock_mine(mutex);
    __parallax_thread_unlock(mutex);
    return 0;
}

int __parallax_pthread_spin_init(int *lock, int shared)
{
    *lock = 0;
    return 0;
}

int __parallax_pthread_spin_lock(int *lock)
{
    __parallax_lock_not_mine(lock);
    __parallax_thread_lock(lock);
    return 0;
}

int __parallax_pthread_spin_trylock(int *lock)
{
    int result = BUSY;
    __parallax_atomic_begin();
    if (*lock == 0) {
        *lock = __parallax_thread_mark();
        result = 0;
    }
    __parallax_atomic_end();
    return result;
}

int __parallax_pthread_spin_unlock(int *lock)
{
    __parallax_lock_mine(lock);
    __parallax_thread_unlock(lock);
    return 0;
}

int __parallax_pthread_spin_destroy(int *lock)
{
    __parallax_lock_free(lock);
    return 0;
}

/* Condition variables. */

int __parallax_pthread_cond_wait(void *condition, int *mutex)
{
    __parallax_atomic_begin();
    __parallax_pthread_mutex_unlock(mutex);
    __parallax_thread_sleep(condition);
    __parallax_atomic_end();
    __parallax_thread_yield();
    __parallax_thread_rise();
    return __parallax_pthread_mutex_lock(mutex);
}

int __parallax_pthread_cond_signal(void *condition)
{
    /* One of those who sleep: there are at most 32 threads beside main. */
    __parallax_atomic_begin();
    int thread = __parallax_any_bool() + 2 * __parallax_any_bool() + 4 * __parallax_any_bool() +
                 8 * __parallax_any_bool() + 16 * __parallax_any_bool() +
                 32 * __parallax_any_bool();
    __parallax_thread_wake(condition, thread);
    __parallax_atomic_end();
    return 0;
}

int __parallax_pthread_cond_broadcast(void *condition)
{
    __parallax_thread_wake_all(condition);
    return 0;
}

int __parallax_pthread_cond_timedwait(void *condition, int *mutex, const void *time)
{
    __parallax_pthread_mutex_unlock(mutex);
    __parallax_thread_yield();
    __parallax_pthread_mutex_lock(mutex);
    return __parallax_any_int() ? TIMED_OUT : 0;
}

/* Locks for readers and writers: how many hold it, and whether one writes. */

int __parallax_pthread_rwlock_init(int *lock, const void *attributes)
{
    lock[0] = 0;
    lock[1] = 0;
    return 0;
}

int __parallax_pthread_rwlock_destroy(int *lock)
{
    __parallax_lock_free(lock);
    return 0;
}

int __parallax_pthread_rwlock_rdlock(int *lock)
{
    __parallax_atomic_when(&lock[1]);
    lock[0]++;
    __parallax_atomic_end();
    return 0;
}

int __parallax_pthread_rwlock_tryrdlock(int *lock)
{
    int result = BUSY;
    __parallax_atomic_begin();
    if (lock[1] == 0) {
        lock[0]++;
        result = 0;
    }
    __parallax_atomic_end();
    return result;
}

int __parallax_pthread_rwlock_wrlock(int *lock)
{
    __parallax_atomic_when(&lock[0]);
    lock[0] = 1;
    lock[1] = 1;
    __parallax_atomic_end();
    return 0;
}

int __parallax_pthread_rwlock_trywrlock(int *lock)
{
    int result = BUSY;
    __parallax_atomic_begin();
    if (lock[0] == 0) {
        lock[0] = 1;
        lock[1] = 1;
        result = 0;
    }
    __parallax_atomic_end();
    return result;
}

int __parallax_pthread_rwlock_unlock(int *lock)
{
    __parallax_lock_held(lock);
    __parallax_atomic_begin();
    lock[1] = 0;
    if (lock[0] > 0)
        lock[0]--;
    __parallax_atomic_end();
    return 0;
}

/*
 * Barriers: how many threads meet, how many are there, which of two doors they
 * wait at, and whether the doors are closed. The last thread opens the door
 * and closes the other one for the next time.
 */

enum { MEET = 0, THERE = 1, PHASE = 2, DOOR = 3 };

int __parallax_pthread_barrier_init(int *barrier, const void *attributes, unsigned count)
{
    barrier[MEET] = (int)count;
    barrier[THERE] = 0;
    barrier[PHASE] = 0;
    barrier[DOOR] = 1;
    barrier[DOOR + 1] = 1;
    return 0;
}

int __parallax_pthread_barrier_wait(int *barrier)
{
    __parallax_atomic_begin();
    int phase = barrier[PHASE] != 0;
    int last = ++barrier[THERE] == barrier[MEET];
    if (last) {
        barrier[THERE] = 0;
        barrier[PHASE] = !phase;
        barrier[DOOR + phase] = 0;
        barrier[DOOR + !phase] = 1;
    }
    __parallax_atomic_end();
    if (last)
        return -1;
    __parallax_atomic_when(&barrier[DOOR + phase]);
    __parallax_atomic_end();
    return 0;
}

/* Semaphores: the value, and whether it is zero. */

int __parallax_sem_init(int *semaphore, int shared, unsigned value)
{
    semaphore[0] = (int)value;
    semaphore[1] = value == 0;
    return 0;
}

int __parallax_sem_wait(int *semaphore)
{
    __parallax_atomic_when(&semaphore[1]);
    semaphore[0]--;
    semaphore[1] = semaphore[0] == 0;
    __parallax_atomic_end();
    return 0;
}

int __parallax_sem_trywait(int *semaphore)
{
    int result = -1;
    __parallax_atomic_begin();
    if (semaphore[1] == 0) {
        semaphore[0]--;
        semaphore[1] = semaphore[0] == 0;
        result = 0;
    }
    __parallax_atomic_end();
    return result;
}

int __parallax_sem_timedwait(int *semaphore, const void *time)
{
    return __parallax_sem_trywait(semaphore);
}

int __parallax_sem_post(int *semaphore)
{
    __parallax_atomic_begin();
    semaphore[0]++;
    semaphore[1] = 0;
    __parallax_atomic_end();
    return 0;
}

int __parallax_sem_getvalue(int *semaphore, int *value)
{
    *value = semaphore[0];
    return 0;
}

int __parallax_sem_destroy(int *semaphore)
{
    return 0;
}

/* Once, and values by key; destructors of keys are not modelled. */

int __parallax_pthread_once(int *control, void (*routine)(void))
{
    __parallax_atomic_begin();
    int first = *control == 0;
    if (first)
        *control = 1;
    __parallax_atomic_end();
    if (first) {
        routine();
        __parallax_atomic_begin();
        *control = 2;
        __parallax_atomic_end();
    }
    while (*control != 2)
        __parallax_thread_yield();
    return 0;
}

enum { KEYS = 64 };
static unsigned next_key;
static _Thread_local void *values[KEYS];

int __parallax_pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    if (destructor)
        __parallax_thread_destructor();
    __parallax_atomic_begin();
    unsigned own = next_key;
    if (own < KEYS)
        next_key++;
    __parallax_atomic_end();
    if (own == KEYS)
        return AGAIN;
    *key = own;
    return 0;
}

int __parallax_pthread_key_delete(unsigned key)
{
    return 0;
}

int __parallax_pthread_setspecific(unsigned key, const void *value)
{
    values[key] = (void *)value;
    return 0;
}

void *__parallax_pthread_getspecific(unsigned key)
{
    return values[key];
}

/* Locks of <threads.h>: 0 is success, 1 busy, 2 an error, 4 too late. */

static int as_c11(int result)
{
    return result == 0 ? 0 : result == BUSY ? 1 : result == TIMED_OUT ? 4 : 2;
}

int __parallax_mtx_init(int *mutex, int type)
{
    int kind = type & 1;
    return __parallax_pthread_mutex_init(mutex, &kind);
}

int __parallax_mtx_lock(int *mutex)
{
    return as_c11(__parallax_pthread_mutex_lock(mutex));
}

int __parallax_mtx_trylock(int *mutex)
{
    return as_c11(__parallax_pthread_mutex_trylock(mutex));
}

int __parallax_mtx_timedlock(int *mutex, const void *time)
{
    return as_c11(__parallax_pthread_mutex_timedlock(mutex, time));
}

int __parallax_mtx_unlock(int *mutex)
{
    return as_c11(__parallax_pthread_mutex_unlock(mutex));
}

void __parallax_mtx_destroy(int *mutex)
{
    __parallax_pthread_mutex_destroy(mutex);
}

int __parallax_cnd_signal(void *condition)
{
    return __parallax_pthread_cond_signal(condition);
}

int __parallax_cnd_broadcast(void *condition)
{
    return __parallax_pthread_cond_broadcast(condition);
}

int __parallax_cnd_wait(void *condition, int *mutex)
{
    return as_c11(__parallax_pthread_cond_wait(condition, mutex));
}

int __parallax_cnd_timedwait(void *condition, int *mutex, const void *time)
{
    return as_c11(__parallax_pthread_cond_timedwait(condition, mutex, time));
}

void __parallax_call_once(int *flag, void (*routine)(void))
{
    __parallax_pthread_once(flag, routine);
}

unsigned long __parallax_thrd_current(void)
{
    return __parallax_thread_self();
}

int __parallax_thrd_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

void __parallax_thrd_yield(void)
{
    __parallax_thread_yield();
}
