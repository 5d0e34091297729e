//~ values violated
//~ quotient holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A division by zero is an error; the step is not taken.
var x: int = 12, y: int = 3;

process P {
  divide: do x := x / y, y := y - 1;
}

invariant quotient: x == 12 || x == 4 || x == 2;
