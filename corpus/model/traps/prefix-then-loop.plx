//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, pdr, kind, explicit
// The loop is harmless at first; each round through it changes what a later exit does.
var x: int = 0, y: int = 5;

process P {
  location run, leave, error;
  round: run -> run do x := x + 1, y := y - 1;
  out: run -> leave when x > 0;
  back: leave -> run when x + y == 5 && y > 0;
  wrong: leave -> error when x + y == 5 && y == 0;
}

unreachable bad: P@error;
