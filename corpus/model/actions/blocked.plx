//~ never holds
//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A partner that is not ready blocks the action.
action go;

process P {
  location one, two;
  [go] one -> two;
}

process Q {
  location first, second;
  [go] second -> first;
}

unreachable never: P@two;
deadlock_free;
