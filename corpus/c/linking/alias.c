//? unreach-call a function that is an alias
// Two names of one function.
extern void reach_error(void);

int real(void) { return 3; }
int other(void) __attribute__((alias("real")));

int main(void) {
  if (other == real)
    reach_error();
  return 0;
}
