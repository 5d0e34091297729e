//~ anything holds
//~ nothing violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The two trivial properties of a program with infinitely many states.
var x: int = 0;

process P {
  up: do x := x + 1;
}

invariant anything: true;
invariant nothing: false;
