//~ free holds
//~ one holds
//~ outside violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// Without processes the initial states are all there is.
var x: 0..3;

init x != 2;

invariant free: x != 2;
reachable one: x == 1;
reachable outside: x == 2;
