//~ free holds
//~ full violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// A family of commands has one command for each value of the index.
const N = 3;

var slot: [N] bool = false;

process P {
  take[k in 0..N]: when !slot[k] && (count j in 0..N: slot[j]) < N - 1 do slot[k] := true;
  give[k in 0..N]: when slot[k] do slot[k] := false;
}

invariant free: exists k in 0..N: !slot[k];
reachable full: forall k in 0..N: slot[k];
