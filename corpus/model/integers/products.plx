//~ square holds
//~ growth holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, explicit
// Values that outgrow machine words by multiplication.
var x: int = 10;

process P {
  location a, b, c, d, e, final f;
  a -> b do x := x * x;
  b -> c do x := x * x;
  c -> d do x := x * x;
  d -> e do x := x * x;
  e -> f do x := x * x;
}

reachable square: x == 100000000000000000000000000000000;
invariant growth: x >= 10;
