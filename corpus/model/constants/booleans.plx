//~ on holds
//~ off holds
//~ values holds
//@ args: -D FAST=true
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Constants may be truth values.
const FAST = false;

var x: 0..=10 = 0;

process P {
  step: when x < 10 do x := x + (if FAST then 5 else 1);
}

reachable on: x == 5;
unreachable off: x == 1;
