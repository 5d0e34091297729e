// Lock discipline: the lock is taken and released in turn, whatever the requests.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int locked = 0;

static void lock(void) {
  if (locked)
    reach_error();
  locked = 1;
}

static void unlock(void) {
  if (!locked)
    reach_error();
  locked = 0;
}

int main(void) {
  int requests, old;
  do {
    lock();
    requests = __VERIFIER_nondet_int();
    old = requests;
    if (requests > 0) {
      unlock();
      requests--;
    }
  } while (old != requests);
  unlock();
  return 0;
}
