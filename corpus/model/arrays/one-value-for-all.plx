//~ same holds
//~ last holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// One initial value fills all cells.
const N = 4;

var a: [N] int = 7;

process P {
  next[k in 0..N - 1]: when a[k + 1] == a[k] do a[k + 1] := a[k] - 1;
}

invariant same: a[0] == 7;
reachable last: a[N - 1] == 6;
