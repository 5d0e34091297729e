//~ together holds
//~ done holds
//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// All processes that have the action take part.
action go;

process P[i in 0..3] {
  location one, final two;
  [go] one -> two;
}

process Q {
  location l;
  idle: l -> l;
}

invariant together: forall i in 0..3: P[i]@two <=> P[0]@two;
reachable done: P[2]@two;
deadlock_free;
