//~ values violated
//~ left holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// An error in the middle of a block is an error, even if the end would be fine.
var x: 0..3 = 1;

process P {
  bounce: do {
    x := x + 1;
    x := x - 1;
  }
  up: when x == 1 do x := 2;
}

reachable left: x == 2;
