//~ low holds
//~ lower holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A range may begin below zero.
var x: -2..=2 = 0;

process P {
  down: when x > -2 do x := x - 1;
  up: when x < 2 do x := x + 1;
}

reachable low: x == -2;
unreachable lower: x < -2 || x > 2;
