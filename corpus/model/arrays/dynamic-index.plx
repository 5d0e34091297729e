//~ sorted violated
//~ total holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// A cell is read and written through a variable index.
var a: [3] int = {2, 0, 1};
var i: 0..2 = 0;
var keep: int = 0;

process P {
  swap: do {
    keep := a[i];
    a[i] := a[i + 1];
    a[i + 1] := keep, i := 1 - i;
  }
}

// Some order is wrong at first, and the sum never changes.
invariant sorted: a[0] <= a[1] && a[1] <= a[2];
invariant total: (sum k in 0..3: a[k]) == 3;
