//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
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
