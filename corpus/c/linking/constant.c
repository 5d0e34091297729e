//~ valid-deref violated
//@ decided-by: bmc, bmc-bv
// A constant is written through a pointer that forgot it.
static const int table[2] = {1, 2};
static void put(int *p) { *p = 3; }

int main(void) {
  put((int *)&table[1]);
  return 0;
}
