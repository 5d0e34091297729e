//~ order holds
//~ back violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// Values of an enumeration, bare and with the name of the type.
enum Phase { green, yellow, red }

var now: Phase = green, before: Phase = red;

process P {
  a: when now == green do before := now, now := yellow;
  b: when now == Phase.yellow do before := now, now := Phase.red;
  c: when now == red do before := now, now := green;
}

invariant order: now == yellow => before == green;
reachable back: now == green && before == yellow;
