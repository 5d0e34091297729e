//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
// The same on the spot.
static const int limit = 1;

int main(void) {
  *(int *)&limit = 2;
  return 0;
}
