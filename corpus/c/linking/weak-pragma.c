//? unreach-call a weak function that the program does not define
// The same, said by a pragma.
extern void reach_error(void);
#pragma weak hook
extern int hook(void);

int main(void) {
  if (!hook)
    reach_error();
  return 0;
}
