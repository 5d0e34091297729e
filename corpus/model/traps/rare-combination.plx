//~ meet violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, explicit
// Three independent counters meet for the first time after many steps.
var a: 0..5 = 0, b: 0..7 = 0, c: 0..3 = 0;

process P {
  step: do a := (a + 1) % 5, b := (b + 1) % 7, c := (c + 1) % 3;
}

unreachable meet: a == 4 && b == 6 && c == 2;
