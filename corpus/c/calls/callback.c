// A function behind a pointer is unknown code: it returns anything.
//~ unreach-call violated
//@ args: --function apply
//@ decided-by: bmc, bmc-bv
//@ assumes unreach-call: functions behind pointers are unknown code
extern void reach_error(void);
void apply(int (*f)(int), int x) {
  if (f(x) == 42)
    reach_error();
}
