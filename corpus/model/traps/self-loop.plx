//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar-cartesian, cegar-eager, cegar-impact, kind, explicit
// A step that stays in its abstract state is a loop, not the end of a path.
var x: int = 0;

process P {
  location run, error;
  step: run -> run when x != 12 do x := x + 1;
  wrong: run -> error when x == 12;
}

unreachable bad: P@error;
