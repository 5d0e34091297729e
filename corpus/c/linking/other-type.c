//? unreach-call argument of another type than the function is defined with
//@ with: other-type-of.c
// What arrives is not what was passed.
extern void reach_error(void);
extern int same(int);

int main(void) {
  if (same(1) != 1)
    reach_error();
  return 0;
}
