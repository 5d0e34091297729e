//~ bad violated
//~ other violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// `x != 0` is two half lines; both are entered.
var x: int = 0;

process P {
  location start, final below, final above;
  up: start -> start when x < 2 do x := x + 1;
  jump: start -> start when x == 2 do x := -1;
  low: start -> below when x != 0 && x < 0;
  high: start -> above when x != 0 && x > 0;
}

unreachable bad: P@below;
unreachable other: P@above;
