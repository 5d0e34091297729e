//~ values violated
//~ written holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// An index outside its array is an error.
var a: [3] int = 0;
var i: 0..5 = 0;

process P {
  write: when i < 4 do a[i] := 1, i := i + 1;
}

reachable written: a[2] == 1 && i == 3;
