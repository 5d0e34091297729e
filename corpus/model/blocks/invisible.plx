//~ even holds
//~ odd violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// The states inside a block are not seen.
var x: int = 0;

process P {
  twice: when x < 6 do {
    x := x + 1;
    x := x + 1;
  }
}

invariant even: x % 2 == 0;
reachable odd: x == 3;
