//~ equal holds
//~ apart violated
//~ deadlock_free holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind, explicit
// Two processes that share an action move together.
action tick;

var x, y: 0..3 = 0;

process P {
  [tick] when x < 2 do x := x + 1;
  reset: when x == 2 && y == 2 do x := 0, y := 0;
}

process Q {
  [tick] do y := min(y + 1, 2);
}

invariant equal: x == y;
reachable apart: x != y;
deadlock_free;
