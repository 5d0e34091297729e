//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar-cartesian, cegar-eager, cegar-impact, kind, explicit
// A guard that is no linear atom must not be forgotten.
var x: int = 0;

process P {
  location run, error;
  step: run -> run do x := x + 1;
  wrong: run -> error when x * x == 49;
}

unreachable bad: P@error;
