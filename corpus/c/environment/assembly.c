//? unreach-call inline assembly that may write memory
// The assembly sets the variable, without a word about it to the compiler.
extern void reach_error(void);

int shared;

int main(void) {
  asm volatile("movl $1, shared");
  if (shared)
    reach_error();
  return 0;
}
