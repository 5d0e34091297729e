// Each pointer leads to an object of its own, which no other one leads to.
//~ unreach-call holds
//@ args: --function copy
//@ decided-by: bmc, bmc-bv
//@ assumes unreach-call: each pointer to an object of its own, not null
extern void reach_error(void);
struct cell { int value; };
static struct cell own;
void copy(struct cell *to, const struct cell *from) {
  int before = from->value;
  to->value = 1;
  if (from->value != before || to == &own || !to)
    reach_error();
}
