//~ positive holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
//@ evidence positive ase-plain: inductive-invariant
// Proved by an inductive set: the steps are not exact, but stay inside.
var x: int;

init x > 0;

process P {
  up: do x := x + 1;
  down: when x > 1 do x := x - 1;
}

invariant positive: x > 0;
