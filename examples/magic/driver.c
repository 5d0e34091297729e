/* A small block driver: requests wait in a queue, a lock guards it. The lock
 * must not be taken twice, not be given back twice, and not be held when the
 * driver gives the request to the device or returns. */

#define QUEUE 16
#define EIO 5
#define EBUSY 16

struct request {
    int sector;
    int count;
    int write;
};

struct device {
    int busy;
    int head;
    int length;
    int errors;
    int resets;
};

void spin_lock(struct device *d);
void spin_unlock(struct device *d);
int start_io(struct device *d, int sector, int count);
void reset_controller(struct device *d);
void schedule(void);

/* Takes a request, starts it or leaves it in the queue. */
int blk_request(struct device *d, struct request *r)
{
    int tries;
    int status;
    int held;

    tries = 0;
    held = 0;
    if (r->count <= 0 || r->sector < 0)
        return -EIO;

again:
    spin_lock(d);
    held = 1;
    if (d->length >= QUEUE) {
        spin_unlock(d);
        held = 0;
        if (tries > 3)
            return -EBUSY;
        tries = tries + 1;
        schedule();
        goto again;
    }
    if (d->busy) {
        d->length = d->length + 1;
        spin_unlock(d);
        held = 0;
        return 0;
    }
    d->busy = 1;
    spin_unlock(d);
    held = 0;

    status = start_io(d, r->sector, r->count);
    while (status < 0 && tries < 8) {
        tries = tries + 1;
        reset_controller(d);
        spin_lock(d);
        held = 1;
        d->resets = d->resets + 1;
        if (d->errors > 100) {
            d->busy = 0;
#ifdef FORGETS_LOCK
            return -EIO;
#else
            goto fail;
#endif
        }
        d->errors = d->errors + 1;
        spin_unlock(d);
        held = 0;
        status = start_io(d, r->sector, r->count);
    }
    if (status < 0) {
        spin_lock(d);
        held = 1;
        d->busy = 0;
        goto fail;
    }
    return 0;

fail:
    if (held)
        spin_unlock(d);
    return -EIO;
}
