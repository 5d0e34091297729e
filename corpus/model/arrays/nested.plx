//~ diagonal holds
//~ corner holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// An array of arrays, with one list of values per row.
var grid: [2] [3] int = {{1, 2, 3}, {4, 5, 6}};

process P {
  location one, final two;
  change: one -> two do grid[1][2] := grid[0][0] + grid[1][1];
}

invariant diagonal: grid[0][0] == 1 && grid[1][1] == 5;
reachable corner: grid[1][2] == 6 && P@two;
