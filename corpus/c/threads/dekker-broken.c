// Dekker's algorithm; one thread does not say that it wants to enter.
//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, kind, explicit, ase-bv, bmc-bv, kind-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int want0, want1, turn, inside;
void *other(void *p) {
  
  while (want0) {
    if (turn == 0) {
      want1 = 0;
      while (turn == 0) {}
      want1 = 1;
    }
  }
  inside = 1;
  if (inside != 1) reach_error();
  turn = 0;
  want1 = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  want0 = 1;
  while (want1) {
    if (turn == 1) {
      want0 = 0;
      while (turn == 1) {}
      want0 = 1;
    }
  }
  inside = 0;
  if (inside != 0) reach_error();
  turn = 1;
  want0 = 0;
  return 0;
}
