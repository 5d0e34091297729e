//~ nothing holds
//~ something violated
//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// Without an initial state there are no runs, and nothing is reachable.
var x: int;

init x < 0 && x > 0;

process P {
  location l;
}

invariant nothing: false;
reachable something: true;
deadlock_free;
