//~ values violated
//~ late violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A value error does not end the search for other errors.
var x: 0..4 = 0, n: 0..=2 = 0;

process P {
  up: do x := x + 1;
  again: when x == 3 && n < 2 do x := 0, n := n + 1;
}

unreachable late: n == 2 && x == 2;
