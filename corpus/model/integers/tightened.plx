//~ at_most_one holds
//~ one holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// Over the integers, 2 x <= 3 means x <= 1.
var x: int = 0;

process P {
  location one, two;
  read: one -> two do x := any;
  keep: two -> one when 2 * x <= 3;
}

invariant at_most_one: P@one => x <= 1;
reachable one: P@one && x == 1;
