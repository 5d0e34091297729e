//? unreach-call a variable that is an alias
// Two names of one object.
extern void reach_error(void);

int real = 1;
extern int other __attribute__((alias("real")));

int main(void) {
  real = 2;
  if (other == 2)
    reach_error();
  return 0;
}
