//~ middle holds
//~ sign holds
//@ decided-by: ase, cegar-predicates, cegar-impact, pdr, kind
// `if` as a value, and the functions.
var x, y, m: int = 0, s: -1..=1 = 0;

process P {
  location one, two;
  read: one -> two do x := any, y := any;
  compute: two -> one
      do m := max(min(x, y), -abs(x)), s := if x > y then 1 else if x < y then -1 else 0;
}

invariant middle: P@one => m <= x || m <= y;
invariant sign: P@one && s == 0 => x == y;
