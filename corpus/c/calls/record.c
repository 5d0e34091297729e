// Members of records have any value: numbers, bit-fields, unions, constants, records
// without a name, and what pointers in them lead to.
//~ unreach-call violated
//@ args: --function look
//@ decided-by: bmc-bv
extern void reach_error(void);
typedef struct { short x, y; } point;
union number { int i; unsigned char bytes[4]; };
struct all {
  const int k;
  char text[4];
  unsigned bits : 3;
  union number n;
  point at;
  point *to;
  struct { int a; union { int b; float c; }; };
};
void look(struct all *r, point p, _Bool b) {
  if (r->k == 7 && r->text[3] == 'x' && r->bits == 5 && r->n.bytes[0] == 9 && r->at.y == -1 &&
      r->to->x == 300 && r->a == 11 && r->b == 12 && p.x == p.y && b)
    reach_error();
}
