//~ capped holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// A closed fragment under an unbounded choice.
var x, y: int = 0;

process P {
  location read, clamp;
  input: read -> clamp do x := any;
  low: clamp -> read when x < 0 do y := 0;
  high: clamp -> read when x > 9 do y := 9;
  fine: clamp -> read when 0 <= x && x <= 9 do y := x;
}

invariant capped: 0 <= y && y <= 9;
