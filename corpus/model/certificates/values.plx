//~ values holds
//~ sum holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind, explicit
// The proof that no value leaves its range.
var a: 0..=3 = 3, b: 0..=3 = 0;

process P {
  right: when a > 0 do a := a - 1, b := b + 1;
  left: when b > 0 do a := a + 1, b := b - 1;
}

invariant sum: a + b == 3;
