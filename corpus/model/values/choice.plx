//~ values violated
//~ small holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// A choice among values that do not all fit.
var x: 0..4 = 0;
var n: 0..=4 = 4;

process P {
  pick: when x == 0 do x := any 0..=n;
}

unreachable small: x == 4;
