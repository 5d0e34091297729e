//~ unreach-call holds
//@ decided-by: bmc, ase, cegar
// All that these instructions write is said; `memory` is for the compiler. Data
// on the side are not executed.
extern void reach_error(void);

int other, counter;

int main(void) {
  int old = 5, is_zero;
  asm volatile("movl %1,%0" : "=r"(old) : "m"(counter) : "memory");
  asm volatile("lock; decl %0; sete %b1" : "+m"(counter), "=q"(is_zero) : : "memory");
  asm volatile("661:\n\tmfence\n662:\n"
               ".pushsection .parallax,\"\"\n.balign 4\n.long 0\n.popsection" : : : "memory");
  asm volatile("xchgl %0, %1\n" : "+r"(old), "+m"(counter) : : "memory");
  if (other)
    reach_error();
  return 0;
}
