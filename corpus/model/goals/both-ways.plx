//~ yes holds
//~ no violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A goal holds when it is reached, and is violated when it is proved out of reach.
var x: 0..8 = 0;

process P {
  step: do x := (x + 2) % 8;
}

reachable yes: x == 6;
reachable no: x == 5;
