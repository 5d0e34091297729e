//? unreach-call a weak function that the program does not define
// Its address is null if nobody defines it.
extern void reach_error(void);
extern int hook(void) __attribute__((weak));

int main(void) {
  if (!hook)
    reach_error();
  return 0;
}
