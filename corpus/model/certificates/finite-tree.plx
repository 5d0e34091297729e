//~ end holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
//@ evidence end ase-plain: enumeration
// Every run ends: the certificate is the tree of runs, without a fragment.
var x: int = 0;

process P {
  location a, b, final c;
  one: a -> b do x := x + 1;
  two: a -> b do x := x + 2;
  last: b -> c do x := x * 10;
}

invariant end: P@c => x == 10 || x == 20;
