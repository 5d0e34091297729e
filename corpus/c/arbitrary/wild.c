// What lies behind a pointer that was never set may be anything, so the
// error is not excluded because the read is undefined.
//~ unreach-call violated
//@ decided-by: bmc, cegar, cegar-invariants, bmc-bv, cegar-bv
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern int __VERIFIER_nondet_int(void);
struct inner { int flag; };
struct outer { int state; struct inner *inner; };
int main(void) {
  struct outer *o = malloc(sizeof *o);
  o->state = 1;
  while (1) {
    switch (o->state) {
    case 1:
      o->state = 2;
      break;
    case 2:
      if (o->inner->flag)
        o->state = 3;
      break;
    case 3:
      if (__VERIFIER_nondet_int() == 5)
        reach_error();
      o->state = 1;
      break;
    }
  }
}
