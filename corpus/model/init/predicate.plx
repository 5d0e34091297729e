//~ ordered holds
//~ equal violated
//~ negative holds
//@ decided-by: ase, ase-plain, ase-per-path, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// Initial values known only by a predicate.
var x, y: int;

init x < y;
init y <= 0;

process P {
  step: do x := x - 1, y := y - 1;
}

invariant ordered: x < y;
reachable equal: x == y;
reachable negative: y == -3 && x == -10;
