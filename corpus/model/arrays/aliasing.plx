//~ same holds
//~ other violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-impact, cegar-invariants, kind, explicit
// Two indices may name the same cell.
var a: [3] int = 0;
var i, j: 0..3;

process P {
  location one, two, final three;
  write: one -> two do a[i] := 1;
  again: two -> three do a[j] := 2;
}

invariant same: P@three => a[j] == 2;
invariant other: P@three => a[i] == 1;
