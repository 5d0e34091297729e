//~ law holds
//~ small holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The same with a negative divisor.
var x, q, r: int = 0;

process P {
  location one, two;
  read: one -> two do x := any;
  divide: two -> one do q := x / -4, r := x % -4;
}

invariant law: P@one => x == -4 * q + r;
reachable small: P@one && x == -1 && q == 1 && r == 3;
