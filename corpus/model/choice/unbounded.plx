//~ secret violated
//~ negative holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// An integer input may be any integer, however large.
var x: int = 0;

process P {
  read: do x := any;
}

unreachable secret: x == 123456789012345678901234567890;
reachable negative: x == -5;
