//~ values holds
//~ top holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// No guard excludes the error; it takes a proof that it does not happen.
var x: 0..4 = 0;
var left: int = 3;

process P {
  step: when left > 0 do x := x + 1, left := left - 1;
}

reachable top: x == 3;
