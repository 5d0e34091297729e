//~ termination violated
//@ decided-by: rank
// The array is the same again after two rounds.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int flags[2] = {0, 1};
  while (flags[0] != flags[1]) {
    int kept = flags[0];
    flags[0] = flags[1];
    flags[1] = kept;
  }
  return 0;
}
