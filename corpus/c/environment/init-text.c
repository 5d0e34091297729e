//~ unreach-call holds
//@ decided-by: bmc, cegar
// A section whose name only begins like that of code which runs before `main`.
extern void reach_error(void);
static int x;
__attribute__((section(".init.text"))) static void later(void) { x = 1; }

int main(void) {
  if (x)
    reach_error();
  later();
  return x - 1;
}
