//~ unreach-call violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ with: assembler-name-of.c
// The names in the text are not those of the linker.
extern void reach_error(void);
extern int value asm("real_value");
extern int get(void) asm("real_get");

int main(void) {
  if (get() == 7 && value == 8)
    reach_error();
  return 0;
}
