// A list ends within the bound, and may end at once.
//~ valid-deref violated
//@ args: --function third
//@ decided-by: bmc, bmc-bv
struct node { int value; struct node *next; };
int third(struct node *n) { return n->next->next->value; }
