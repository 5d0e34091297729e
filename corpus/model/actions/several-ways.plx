//~ one holds
//~ two holds
//~ mixed violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// One command of each process: every combination whose guards agree.
action go;

var x: 0..3 = 0, y: 0..3 = 0;

process P {
  small: [go] when x == 0 do x := 1;
  large: [go] when x == 0 do x := 2;
}

process Q {
  small: [go] when x + y == 0 do y := 1;
  large: [go] when y == 0 do y := 2;
  other: [go] when y == 1 do y := 0;
}

reachable one: x == 1 && y == 2;
reachable two: x == 2 && y == 1;
reachable mixed: x == 0 && y != 0;
