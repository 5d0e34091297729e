//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind
// As the neighbor of this file, with an unbounded choice and the error in the guards.
// The first states never satisfy both guards at once; the seventh may.
var y: int = 0, z: int = 0;

process P {
  location choose, test, error;
  step: choose -> test do y := any, z := z + 1;
  wrong: test -> error when y < z && y > 5;
  again: test -> choose when !(y < z && y > 5);
}

unreachable bad: P@error;
