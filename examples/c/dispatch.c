// A table of functions, chosen by input; one entry is wrong.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

typedef int operation(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int larger(int a, int b) { return a < b ? a : b; }

static operation *const table[] = {add, subtract, larger};

int main(void) {
  unsigned choice = __VERIFIER_nondet_uint();
  if (choice >= sizeof table / sizeof *table)
    return 0;
  int result = table[choice](7, 3);
  if (result < 4)
    reach_error();
  return result;
}
