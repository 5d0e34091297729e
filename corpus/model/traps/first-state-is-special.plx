//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The first state of an abstract state does not stand for the later ones: the guard
// `x % 7 == 3` must be asked of each.
var x: int = 0;

process P {
  location run, error;
  step: run -> run do x := x + 5;
  wrong: run -> error when x % 7 == 3;
}

unreachable bad: P@error;
