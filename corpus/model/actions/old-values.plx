//~ swapped holds
//~ same violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// All parts of a joint step read the state before it.
action swap;

var x: int = 1, y: int = 2;

process P {
  [swap] do x := y;
}

process Q {
  [swap] do y := x;
}

reachable swapped: x == 2 && y == 1;
reachable same: x == y;
