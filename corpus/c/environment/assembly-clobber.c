//? unreach-call inline assembly that may write memory
// As assembly.c; here the compiler is told.
extern void reach_error(void);

int shared;

int main(void) {
  int x;
  asm volatile("movl $1, shared; movl $2, %0" : "=r"(x) : : "memory");
  if (shared)
    reach_error();
  return 0;
}
