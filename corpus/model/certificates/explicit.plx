//~ mutex holds
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, explicit
// Finite control alone: no predicate is needed.
var lock: bool = false;

process P[i in 0..3] {
  location outside, inside;
  enter: outside -> inside when !lock do lock := true;
  leave: inside -> outside do lock := false;
}

invariant mutex: (count i in 0..3: P[i]@inside) <= 1;
