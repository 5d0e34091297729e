//~ termination violated
//@ decided-by: rank
// A loop that does nothing is not taken away.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  if (__VERIFIER_nondet_int() == 77)
    while (1)
      ;
  for (int i = 0; i < 100; i++)
    ;
  return 0;
}
