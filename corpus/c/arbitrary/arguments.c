// The number of arguments is an input.
//~ unreach-call violated
//@ decided-by: ase, bmc, cegar, cegar-invariants, kind, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
extern void reach_error(void);
int main(int argc, char **argv) {
  if (argc == 4)
    reach_error();
  return 0;
}
