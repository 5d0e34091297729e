//~ between violated
//~ half violated
//~ beyond holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// Between two neighbors there is a real, and one is half of an odd number.
var x, y: real;

process P {
  read: do x := any, y := any 0.0..=1.0;
}

unreachable between: x < y && y < x + 1;
unreachable half: 2 * x == 2 * y + 1 && y == 0.25;
invariant beyond: y <= 1;
init y == 0.5;
