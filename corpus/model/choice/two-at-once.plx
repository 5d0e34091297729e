//~ independent holds
//~ equal holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// Two choices in one step do not depend on each other.
var x, y: int = 0;

process P {
  read: do x := any, y := any;
}

reachable independent: x == 7 && y == -7;
reachable equal: x == 9 && y == 9;
