//~ own holds
//~ differ holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Every instance has its own copy of the local variables.
process P[i in 0..2] {
  var n: 0..4 = i;
  step: when n < 3 do n := n + 1;
}

invariant own: P[1].n >= 1;
reachable differ: P[0].n == 3 && P[1].n == 1;
