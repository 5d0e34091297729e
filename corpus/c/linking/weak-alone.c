//~ unreach-call holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, symba, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ assumes unreach-call: no other code defines the weak symbol `choose`
// There is no other definition in sight.
extern void reach_error(void);

__attribute__((weak)) int choose(void) { return 1; }

int main(void) {
  if (choose() != 1)
    reach_error();
  return 0;
}
