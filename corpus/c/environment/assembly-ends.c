//~ unreach-call holds
//@ decided-by: bmc, ase, cegar
// An instruction that is none ends the run, as the kernel's `BUG` does.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0) {
    while (1)
      asm volatile("1:\tud2\n.pushsection .parallax,\"\"\n2:\t.long 0, %c0\n.popsection" : : "i"(7));
  }
  if (x > 0)
    reach_error();
  return 0;
}
