// Memory from malloc has any contents, pointers among them.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv, pdr-bv
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
struct cipher { int number; unsigned long flags; };
struct state { int kind; struct cipher *cipher; struct state *next; };
int main(void) {
  struct state *s = malloc(sizeof *s);
  s->next = malloc(sizeof *s);
  s->next->kind = 3;
  if (s->kind == 12 && s->next->kind == 3 && s->cipher != 0 && s->cipher->flags & 256)
    reach_error();
  return 0;
}
