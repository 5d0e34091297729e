//~ twice holds
//~ odd violated
//@ decided-by twice: ase, symba, pdr
//@ decided-by odd: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, pdr, kind, explicit
// A million steps are one invariant; thirteen steps are a run.
model long;

var x: int = 0;
var y: int = 0;

process P {
  location work, rest;
  step: work -> work when x < 1000000 do x := x + 1, y := y + 2;
  done: work -> rest when x >= 1000000;
}

invariant twice: P@rest => y == 2000000;
unreachable odd: y == x + 13;
