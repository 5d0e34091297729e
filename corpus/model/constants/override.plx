//~ size holds
//~ derived holds
//@ args: -D N=5
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// The command line sets constants; those that depend on them follow.
const N = 2;
const TWICE = N * 2, LAST = TWICE - 1;

var x: 0..TWICE = 0;

process P {
  step: when x < LAST do x := x + 1;
}

reachable size: x == 9;
invariant derived: LAST == 9 && x <= 9;
