//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// The two guards together leave no value out.
var x: int;

process P {
  down: when x > 3 do x := x - 1;
  up: when x < 5 do x := x + 1;
}

deadlock_free;
