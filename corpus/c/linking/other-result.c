//? unreach-call call of a function that is defined with another result
//@ with: other-result-of.c
// Half of the result is what was in the register before.
extern void reach_error(void);
extern long same(int);

int main(void) {
  if (same(1) != 1)
    reach_error();
  return 0;
}
