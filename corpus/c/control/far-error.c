//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, pdr, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv
// The error is a few rounds away.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = 0;
  while (1) {
    int key = __VERIFIER_nondet_int();
    switch (state) {
    case 0:
      state = key == 17 ? 1 : 0;
      break;
    case 1:
      state = key == 42 ? 2 : 0;
      break;
    case 2:
      if (key == -1)
        reach_error();
      state = 0;
    }
  }
}
