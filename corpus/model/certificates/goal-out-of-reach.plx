//~ goal violated
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// The proof that a goal cannot be reached is a proof like any other.
var x: int;

init x < 0;

process P {
  down: do x := x - 1;
  flip: when x < -10 do x := -1;
}

reachable goal: x >= 0;
