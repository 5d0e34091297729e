// A local variable that is read before it is written has any value.
//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
extern void reach_error(void);
int main(void) {
  int x, y;
  if (x > 7)
    y = 3;
  if (x == 41 && y == 3)
    reach_error();
  return 0;
}
