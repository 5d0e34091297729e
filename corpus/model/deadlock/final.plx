//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// All processes at final locations: a proper end.
process P[i in 0..2] {
  location start, final done;
  finish: start -> done;
}

deadlock_free;
