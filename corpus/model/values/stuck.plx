//~ values violated
//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, ur, ur-dfs, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The only step would be an error: it is not taken, so the process is stuck.
var x: 0..3 = 0;

process P {
  step: do x := x + 1;
}

deadlock_free;
