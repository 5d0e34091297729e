//~ unreach-label(START) violated
//~ unreach-label(FIRST) violated
//~ unreach-label(SECOND) violated
//~ unreach-label(INSIDE) holds
//~ unreach-label(END) violated
//~ unreach-label(NOWHERE) holds
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
// Labels at the start, two at one place, in a function that is called, and
// where nothing leads.
static int half(int x) {
  int i = 0;
FIRST:
SECOND:
  if (x > 100) {
  INSIDE:
    i++;
  }
END:
  return i;
}

int main(void) {
START:
  return half(7);
NOWHERE:
  return 1;
}
