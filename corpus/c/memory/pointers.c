//~ unreach-call holds
//~ memory-safety holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, kind, explicit, ase-bv, bmc-bv, cegar-bv, kind-bv
//@ decided-by unreach-call: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Arithmetic inside an array, pointers to pointers, the address of a member.
#include <assert.h>

struct pair {
  int first, second;
};

static void swap(int **a, int **b) {
  int *old = *a;
  *a = *b;
  *b = old;
}

int main(void) {
  int cells[4] = {10, 20, 30, 40};
  int *p = cells + 1, *q = &cells[3];
  assert(q - p == 2 && p[1] == 30 && *(q - 3) == 10);
  swap(&p, &q);
  assert(*p == 40 && *q == 20 && q < p);
  struct pair pair = {1, 2};
  int *second = &pair.second;
  *second += 5;
  assert(pair.second == 7 && pair.first == 1);
  int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assert(*(*(matrix + 1) + 2) == 6);
  return 0;
}
