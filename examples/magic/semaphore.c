/* A semaphore of a small kernel. Interrupts are off
 * while the kernel looks at the event; a task that does not get the semaphore
 * is put to sleep and tries again when it is woken. */

#define OS_NO_ERR 0
#define OS_ERR_EVENT_TYPE 1
#define OS_SEM_OVF 50
#define OS_EVENT_TYPE_SEM 3

void enter_critical(void);
void exit_critical(void);
void task_wait(void);
void task_ready(void);

struct os_event {
    int type;
    int count;
    int waiting;
};

/* Takes the semaphore. */
int os_sem_pend(struct os_event *e)
{
    int granted;

    granted = 0;
    enter_critical();
    if (e->type != OS_EVENT_TYPE_SEM) {
        exit_critical();
        return OS_ERR_EVENT_TYPE;
    }
    while (!granted) {
        if (e->count > 0) {
            e->count = e->count - 1;
            granted = 1;
        } else {
            e->waiting = e->waiting + 1;
            exit_critical();
            task_wait();
            enter_critical();
            e->waiting = e->waiting - 1;
        }
    }
    exit_critical();
    return OS_NO_ERR;
}

/* Gives the semaphore back. */
int os_sem_post(struct os_event *e)
{
    enter_critical();
    if (e->type != OS_EVENT_TYPE_SEM) {
        exit_critical();
        return OS_ERR_EVENT_TYPE;
    }
    if (e->waiting > 0) {
        e->count = e->count + 1;
#ifndef WAKES_INSIDE
        exit_critical();
#endif
        task_ready();
        return OS_NO_ERR;
    }
    if (e->count < 65535) {
        e->count = e->count + 1;
        exit_critical();
        return OS_NO_ERR;
    }
    exit_critical();
    return OS_SEM_OVF;
}
