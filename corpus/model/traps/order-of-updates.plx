//~ bad holds
//~ swapped holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// A simultaneous update read as a sequence would reach the error.
var x: int = 1, y: int = 2;

process P {
  swap: do x := y, y := x;
}

unreachable bad: x == y;
reachable swapped: x == 2 && y == 1;
