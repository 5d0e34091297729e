//~ unreach-call holds
//~ unreach-call(check) violated
//~ unreach-label(IN) violated
//@ decided-by: ase, ur, bmc, cegar, cegar-invariants, pdr, kind, explicit, ase-bv, bmc-bv, cegar-bv, pdr-bv, kind-bv
//@ native unreach-call(check): no, nothing outside the file sees calls of a static function
// Each is asked alone: that `check` must not be called says nothing about what
// it does.
extern void reach_error(void);

static void check(int x) {
IN:
  if (x > 3)
    reach_error();
}

int main(void) {
  check(2);
  return 0;
}
