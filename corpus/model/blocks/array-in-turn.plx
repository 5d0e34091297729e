//~ shifted holds
//~ lost violated
//~ values holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind, explicit
// Cells written in sequence see each other's new values.
var a: [3] int = {1, 2, 3};
var i: 0..3 = 0;

process P {
  location one, final two;
  shift: one -> two do {
    a[i] := a[i + 1];
    i := i + 1;
    a[i] := a[i + 1];
    a[2] := 0;
  }
}

invariant shifted: P@two => a[0] == 2 && a[1] == 3 && a[2] == 0;
reachable lost: P@two && a[0] == 3;
