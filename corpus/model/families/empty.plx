//~ still holds
//~ moved violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind, explicit
// A family of no processes.
const N = 0;

var x: 0..2 = 0;

process P[i in 0..N] {
  go: do x := 1;
}

process Q {
  location l;
  idle: l -> l;
}

invariant still: x == 0;
reachable moved: x == 1;
