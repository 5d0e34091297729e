//~ no_stop holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// The property may have a name.
process P {
  location a, b;
  there: a -> b;
  back: b -> a;
}

deadlock_free no_stop;
