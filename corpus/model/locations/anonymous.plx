//~ two holds
//~ three violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Processes without locations.
var x: 0..3 = 0;

process A {
  when x == 0 do x := 1;
}

process B {
  when x == 1 do x := 2;
}

reachable two: x == 2;
reachable three: x == 2 && x == 1;
