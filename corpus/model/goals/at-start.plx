//~ here holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The initial state is reachable.
process P {
  location a, b;
  go: a -> b;
}

reachable here: P@a;
