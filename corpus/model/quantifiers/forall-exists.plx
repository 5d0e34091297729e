//~ all holds
//~ some holds
//~ pairs violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-invariants, kind, explicit
// Quantifiers over constant ranges.
const N = 3;

var a: [N] 0..4 = {0, 1, 2};

process P {
  raise[i in 0..N]: when a[i] < 3 do a[i] := a[i] + 1;
}

invariant all: forall i in 0..N: a[i] >= i;
invariant some: exists i in 0..N: a[i] >= 2;
invariant pairs: forall i in 0..N, j in 0..N: i < j => a[i] < a[j];
