// A function without a body returns anything, each time.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, ase-bv, bmc-bv, cegar-bv
extern void reach_error(void);
extern int ask(int);
extern long *find(void);
int main(void) {
  int a = ask(1), b = ask(2);
  long *p = find();
  if (a == b + 10 && b == -4 && p != 0 && *p == 77)
    reach_error();
  return 0;
}
