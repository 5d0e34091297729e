//~ neighbors holds
//~ all_green violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, kind, explicit
// Cells that hold named values; each light follows the one before it.
enum Light { red, green }

var light: [3] Light = red;

process P {
  first: do light[0] := if light[0] == red then green else red;
  follow[k in 1..3]: do light[k] := light[k - 1];
}

reachable neighbors: light[0] == red && light[1] == green && light[2] == red;
invariant all_green: !(forall k in 0..3: light[k] == green);
