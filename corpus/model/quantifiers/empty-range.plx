//~ all holds
//~ none holds
//~ zero holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// Over no values: `forall` is true, `exists` false, `sum` and `count` zero.
const N = 0;

process P {
  location l;
}

invariant all: forall i in 0..N: false;
invariant none: !(exists i in 0..N: true);
invariant zero: (sum i in 0..N: 1) + (count i in 0..N: true) == 0;
