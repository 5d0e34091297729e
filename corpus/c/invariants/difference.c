//~ unreach-call holds
//@ decided-by: cegar, cegar-invariants, symba
//@ facts octagons: (long long)put <= (long long)got + 16; (long long)put >= (long long)got
// Needs a relation between two counters.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int put = 0, got = 0;
  for (int round = 0; round < 1000000; round++) {
    if (__VERIFIER_nondet_int()) {
      if (put - got < 16) put++;
    } else {
      if (got < put) got++;
    }
  }
  if (put < got) reach_error();
  if (put - got > 16) reach_error();
  return 0;
}
