//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Stuck when a counter has run out.
var x: int = 3;

process P {
  step: when x > 0 do x := x - 1;
}

deadlock_free;
