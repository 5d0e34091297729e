// Compound assignments and increments of _Atomic objects are one step.
//~ unreach-call holds
//@ decided-by: ase, ur, bmc, explicit, ase-bv, bmc-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
_Atomic int count;
struct { _Atomic unsigned char small; int *_Atomic place; } all = {255, 0};
int cells[4];
void *other(void *p) {
  count++;
  all.small += 2;
  all.place++;
  return 0;
}
int main(void) {
  pthread_t t;
  all.place = cells;
  pthread_create(&t, 0, other, 0);
  --count;
  ++all.small;
  all.place += 2;
  pthread_join(t, 0);
  if (count != 0 || all.small != 2 || all.place != cells + 3) reach_error();
  return 0;
}
