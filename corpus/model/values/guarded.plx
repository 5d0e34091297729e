//~ top holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The guard excludes the error, so nothing is asked about values.
var x: 0..4 = 0;

process P {
  step: when x < 3 do x := x + 1;
}

reachable top: x == 3;
