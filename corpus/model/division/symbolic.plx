//~ law holds
//~ remainder holds
//~ one_third holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// The law of division, for every integer.
var x, q, r: int = 0;

process P {
  location one, two;
  read: one -> two do x := any;
  divide: two -> one do q := x / 3, r := x % 3;
}

invariant law: P@one => x == 3 * q + r;
invariant remainder: 0 <= r && r < 3;
reachable one_third: q == -2 && r == 1;
