//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The two guards leave out one value.
var x: int;

process P {
  down: when x > 4 do x := x - 3;
  up: when x < 4 do x := x + 5;
}

deadlock_free;
