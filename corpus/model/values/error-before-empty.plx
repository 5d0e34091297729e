//~ values violated
//~ small holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// The index is wrong before the empty range of the other branch is met.
var v: 0..=3 = 3, x: 0..=3 = 0;
var a: [2] bool = false;

process P {
  step: do {
    if a[v] {
      x := 1;
    } else {
      x := any v..v;
    }
  }
}

invariant small: x < 4;
