// The number of arguments is an input.
//~ unreach-call violated
//@ decided-by: bmc, bmc-bv
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc == 4)
    reach_error();
  return 0;
}
