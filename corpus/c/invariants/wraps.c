//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
// A counter that wraps has no lower bound, whatever widening would like.
extern void reach_error(void);

int main(void) {
  unsigned char c = 0;
  int steps = 0;
  while (steps < 300) {
    c++;
    steps++;
    if (steps > 255 && c < 10) reach_error();
  }
  return 0;
}
