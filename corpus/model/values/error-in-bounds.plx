//~ values violated
//~ small holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// The bound of a choice is a division by zero: an error, not an empty range.
var x: 0..=9 = 0, y: 0..=3 = 0;

process P {
  pick: do x := any 0..(6 / y);
}

invariant small: x <= 9;
