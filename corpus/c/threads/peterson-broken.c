// Peterson's algorithm with two stores the wrong way round.
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, explicit, ase-bv, bmc-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int flag[2], turn, inside;
void *other(void *p) {
  turn = 0; flag[1] = 1;
  while (flag[0] && turn == 0) {}
  inside++;
  if (inside != 1) reach_error();
  inside--;
  flag[1] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  flag[0] = 1;
  turn = 1;
  while (flag[1] && turn == 1) {}
  inside++;
  if (inside != 1) reach_error();
  inside--;
  flag[0] = 0;
  return 0;
}
