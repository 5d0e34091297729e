//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The explored states are closed under the steps that were taken; the step that was
// never enabled must be checked as well.
var x, y: int = 0;

process P {
  location run, error;
  step: run -> run do x := x + 1, y := y + x;
  wrong: run -> error when y == 10 && x == 5;
}

unreachable bad: P@error;
