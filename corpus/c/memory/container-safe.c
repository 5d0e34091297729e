//~ unreach-call holds
//~ valid-deref holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// From a member to the record around it.
#include <stddef.h>
#include <stdlib.h>
extern void reach_error(void);
struct link { struct link *next; };
struct item { int value; struct link link; char *name; };

int main(void) {
  struct item *item = malloc(sizeof *item);
  item->value = 3;
  item->name = 0;
  item->link.next = &item->link;
  struct link *link = item->link.next;
  struct item *found = (struct item *)((char *)link - (size_t)&((struct item *)0)->link);
  found->value++;
  if (item->value != 4 || found->name)
    reach_error();
  free(found);
  return 0;
}
