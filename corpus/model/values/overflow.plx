//~ values violated
//~ bounded holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// An assignment that leaves its range is an error, and is not taken.
var x: 0..4 = 0;

process P {
  step: do x := x + 2;
}

invariant bounded: x != 3;
