//~ anywhere holds
//~ together holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// Steps without guard and update interleave freely.
process P[i in 0..3] {
  location a, b, c;
  a -> b;
  b -> c;
  c -> a;
}

reachable anywhere: P[0]@a && P[1]@b && P[2]@c;
reachable together: forall i in 0..3: P[i]@c;
