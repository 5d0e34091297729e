//~ agree holds
//~ differ violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// Truth values can be compared, stored and computed.
var a, b: bool = false;

process P {
  flip: do a := !a, b := (a => b) <=> !a;
}

invariant agree: a == b || a != b;
reachable differ: a && !a;
