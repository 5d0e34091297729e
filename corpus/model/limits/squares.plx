//~ square holds
//~ above holds
//@ decided-by: ase, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-invariants, kind
// A nonlinear invariant: the sum of the first odd numbers is a square.
var n, s: int = 0;

process P {
  add: do s := s + 2 * n + 1, n := n + 1;
}

invariant square: s == n * n;
invariant above: s >= n;
