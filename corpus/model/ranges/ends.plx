//~ half_open violated
//~ top holds
//~ inclusive holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// `0..3` ends at 2, `0..=3` at 3; no initial value means any of them.
var a: 0..3, b: 0..=3;

process P {
  location l;
}

reachable half_open: a == 3;
reachable top: a == 2;
reachable inclusive: b == 3;
