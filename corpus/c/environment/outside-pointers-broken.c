//~ unreach-call violated
//@ decided-by: bmc
//@ native unreach-call: no, what unknown code returns is not known there
// Pointers from outside lead to pointers, forwards and backwards, that have
// nothing to do with the error; nor has one that was never written.
extern void reach_error(void);

struct list {
  struct list *next;
  int value;
};
struct device {
  long number;
  struct list *queue;
  struct list link;
};

extern struct list *first(void);
extern int __VERIFIER_nondet_int(void);

int traffic;

static struct device *of(struct list *link) {
  return (struct device *)((char *)link - __builtin_offsetof(struct device, link));
}

int main(void) {
  struct device *device = of(first());
  struct list *never;
  traffic += of(never)->number;
  traffic += device->number;
  traffic += device->queue->value;
  traffic += device->queue->next->value;
  if (__VERIFIER_nondet_int() == 7)
    reach_error();
  return 0;
}
