// If nothing is said, globals have their initial values.
//~ unreach-call holds
//@ args: --function step
//@ decided-by: bmc, bmc-bv
//@ assumes unreach-call: global variables have their initial values when it is called
extern void reach_error(void);
static int count;
void step(void) {
  if (count++)
    reach_error();
}
int main(void) { step(); step(); }
