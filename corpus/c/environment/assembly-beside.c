//? unreach-call inline assembly that may write memory
// An address in a register, and a bit beyond the operand.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int other;
long bits[2];

int main(void) {
  if (__VERIFIER_nondet_int())
    asm volatile("movl $1, (%0)" : : "r"(&other) : "memory");
  else
    asm volatile("bts %1,%0" : "+m"(bits[0]) : "r"(64L) : "memory");
  if (other || bits[1])
    reach_error();
  return 0;
}
