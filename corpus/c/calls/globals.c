// A function may be called when globals have any value.
//~ unreach-call violated
//@ args: --function step --free-globals --assume limit>0
//@ decided-by: bmc, bmc-bv
extern void reach_error(void);
static int count;
int limit = 3;
static const int most = 5;
void step(void) {
  if (count == limit && count == 17 && most == 5)
    reach_error();
  count++;
}
