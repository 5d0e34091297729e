//~ above holds
//~ at_bound holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// One choice may bound the next step's.
var x, y: int = 0;

process P {
  location one, two;
  read: one -> two do x := any;
  next: two -> one do y := any x..=x + 2;
}

invariant above: P@one => x <= y && y <= x + 2;
reachable at_bound: P@one && y == x + 2 && x == 40;
