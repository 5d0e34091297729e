// A ticket lock.
//~ unreach-call holds
//@ decided-by: ase, bmc, explicit, ase-bv, bmc-bv
extern void reach_error(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int next, serving, inside;
void enter(void) {
  int own;
  __VERIFIER_atomic_begin();
  own = next;
  next = own + 1;
  __VERIFIER_atomic_end();
  while (serving != own) {}
  inside++;
  if (inside != 1) reach_error();
  inside--;
  serving++;
}
void *other(void *p) { enter(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  enter();
  return 0;
}
