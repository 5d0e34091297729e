//~ unreach-call holds
//@ decided-by: ase, bmc, cegar, cegar-invariants, symba, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Copies of structures, nested members, arrays inside, bit-fields, unions.
#include <assert.h>

struct inner {
  short values[3];
};

struct outer {
  struct inner a, b;
  unsigned low : 3, high : 5;
};

union word {
  unsigned whole;
  unsigned char bytes[4];
};

int main(void) {
  struct outer x = {{{1, 2, 3}}, .b.values[1] = 7, .low = 9, .high = 31};
  struct outer y = x;
  y.a.values[0] = 50;
  x.b = y.a;
  assert(x.a.values[0] == 1 && x.b.values[0] == 50 && y.b.values[1] == 7);
  assert(x.low == 1 && x.high == 31);
  x.low += 8;
  assert(x.low == 1);
  union word w = {0x01020304};
  assert(w.bytes[0] == 4 && w.bytes[3] == 1);
  w.bytes[0] = 0xff;
  assert(w.whole == 0x010203ff);
  return 0;
}
