//~ unreach-call violated
//@ decided-by: bmc, ase, cegar
// What is given in memory to be read is written.
extern void reach_error(void);

int counter;

int main(void) {
  asm volatile("movl %0,%1" : : "r"(1), "m"(counter) : "memory");
  if (counter == 1)
    reach_error();
  return 0;
}
