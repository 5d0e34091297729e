//~ bad violated
//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// A joint step needs both guards in the same state; the partner may disable it for ever.
action go;

var x: 0..4 = 0;

process P {
  location wait, gone;
  [go] wait -> gone when x == 1;
  leave: gone -> wait;
}

process Q {
  tick: when x < 3 do x := x + 1;
  [go] do x := 0;
}

unreachable bad: P@gone && x == 0;
deadlock_free;
