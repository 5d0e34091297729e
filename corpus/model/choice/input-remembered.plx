//~ copied holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// A value that was read does not change by itself.
var x, copy: int = 0;

process P {
  location one, two;
  read: one -> two do x := any;
  store: two -> one do copy := x;
}

invariant copied: P@one => copy == x;
