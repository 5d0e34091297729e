//~ between holds
//~ half holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// There is no integer between two neighbors, and none is half of an odd one.
var x, y: int;

process P {
  read: do x := any, y := any;
}

unreachable between: x < y && y < x + 1;
unreachable half: 2 * x == 2 * y + 1;
