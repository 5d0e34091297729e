//~ exact holds
//~ near violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Literals of any size, without rounding.
var x: int = 1000000000000000000000000000000000000000;

process P {
  location a, final b;
  up: a -> b do x := x + 1;
}

reachable exact: x == 1000000000000000000000000000000000000001;
reachable near: x == 1000000000000000000000000000000000000002;
