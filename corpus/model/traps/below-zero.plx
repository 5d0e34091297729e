//~ floor violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// An integer has no least value.
var x: int = 3;

process P {
  down: do x := x - 2;
}

invariant floor: x > -10;
