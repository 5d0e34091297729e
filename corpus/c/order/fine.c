//~ sequencing holds
//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// What looks like a double access and has an order, or is to different objects.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; unsigned low : 4, high : 4; };
static int count;
static int sum(int x, int y) { return x + y; }
static int next(void) { return count++; }

int main(void) {
  int i = 1, j = 2, a[3] = {0, 0, 0}, b[3] = {7, 8, 9};
  i = i + 1;
  i += i;
  i = (i++, i + 1);
  a[j] = j;
  int *p = a, *q = b;
  *p++ = *q++;
  *p++ = *q++;
  i = i++ && i;
  j = i ? i++ : i--;
  struct node n = {1, 0, 2, 3}, m = {4, &n, 5, 6}, *at = &m;
  at = at->next = &m;
  n.low = n.high++;
  n.value = sum(n.value, n.value);
  at->value = at->next->value + 1;
  i = next();
  i = sum(i, next());
  i = sum((j = 3, j), i);
  if (i != 4 || a[0] != 7 || a[1] != 8 || n.low != 3 || n.high != 4 || count != 2)
    reach_error();
  return 0;
}
