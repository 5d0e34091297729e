//~ end holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// One new predicate for each value of a countdown.
var x: int = 8;

process P {
  location run, final end;
  step: run -> run when x != 0 do x := x - 1;
  finish: run -> end when x == 0;
}

invariant end: x >= 0;
