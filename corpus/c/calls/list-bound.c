// Lists are no longer than the bound: an assumption, which is said.
//~ unreach-call holds
//@ args: --function length --unwind-data 2
//@ decided-by: bmc, bmc-bv
//@ assumes unreach-call: at most 2 records of a kind in a row
extern void reach_error(void);
struct node { struct node *next; };
void length(const struct node *n) {
  int k = 0;
  while (n) {
    k++;
    n = n->next;
  }
  if (k > 2)
    reach_error();
}
