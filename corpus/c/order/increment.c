//~ sequencing violated
//~ unreach-call holds
//@ decided-by: bmc, bmc-bv
//@ assumes unreach-call: accesses in no fixed order happen from left to right
// The store of `++` and that of `=` have no order.
extern void reach_error(void);

int main(void) {
  int i = 1;
  i = i++ + 1;
  if (i != 2)
    reach_error();
  return 0;
}
