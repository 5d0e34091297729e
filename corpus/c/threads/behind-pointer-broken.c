// Between two reads behind one pointer the other thread writes.
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, kind, explicit, ase-bv, bmc-bv, kind-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
struct node { int value; } cell, *shared;
void *other(void *p) {
  struct node *own = shared;
  if (own) {
    int a = own->value, b = own->value;
    if (a != b) reach_error();
  }
  return 0;
}
int main(void) {
  struct node *mine = &cell;
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  mine->value = 1;
  shared = mine;
  mine->value = 2;
  return 0;
}
