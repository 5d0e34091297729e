//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// One process waits for ever, though the other is done.
var turn: bool = false;

process P {
  location start, final done;
  finish: start -> done;
}

process Q {
  location start, final done;
  finish: start -> done when turn;
}

deadlock_free;
