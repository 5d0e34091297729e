//~ scope holds
//~ bound holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind, explicit
// The body of a quantifier extends as far as it can.
var x: 0..3 = 0;

process P {
  step: do x := (x + 1) % 3;
}

// Read the other way, nothing would bind the second `i`.
invariant scope: exists i in 0..3: i == x && i < 3;
invariant bound: (forall i in 0..2: i < 2) && x < 3;
