//~ each holds
//~ last holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, kind, explicit
// A family over two ranges has one process for each pair.
var seen: [2] [3] bool = false;

process P[i in 0..2, j in 0..3] {
  location one, final two;
  mark: one -> two do seen[i][j] := true;
}

invariant each: forall i in 0..2, j in 0..3: P[i, j]@two <=> seen[i][j];
reachable last: P[1, 2]@two && P[0, 0]@one;
