//~ kept holds
//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A choice among no values cannot be made: the step is not enabled.
var x: 0..4 = 0, n: 0..4 = 2;

process P {
  pick: do x := any 0..n, n := 0;
}

invariant kept: x < 2;
deadlock_free;
