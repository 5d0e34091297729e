//~ bad violated
//~ once holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Two processes read and then write: an update is lost.
var x: 0..3 = 0;

process P[i in 0..2] {
  var seen: 0..3 = 0;
  location read, write, final done;
  look: read -> write do seen := x;
  store: write -> done when seen < 2 do x := seen + 1;
}

invariant bad: P[0]@done && P[1]@done => x == 2;
reachable once: P[0]@done && P[1]@done && x == 1;
