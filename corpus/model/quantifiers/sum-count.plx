//~ sum_is holds
//~ count_is holds
//~ full holds
//~ values holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-cartesian, cegar-eager, cegar-invariants, kind, explicit
// `sum` adds values, `count` counts truths.
const N = 3;

var bit: [N] bool = false, total: 0..=N = 0;

process P[i in 0..N] {
  set: when !bit[i] do bit[i] := true, total := total + 1;
}

invariant sum_is: (sum i in 0..N: if bit[i] then 1 else 0) == total;
invariant count_is: (count i in 0..N: bit[i]) == total;
reachable full: (count i in 0..N: bit[i]) == N;
