//~ nothing holds
//~ something violated
//~ deadlock_free holds
//@ decided-by: ase
// Without an initial state there are no runs, and nothing is reachable.
var x: int;

init x < 0 && x > 0;

process P {
  location l;
}

invariant nothing: false;
reachable something: true;
deadlock_free;
