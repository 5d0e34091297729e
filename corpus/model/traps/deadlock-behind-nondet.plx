//~ deadlock_free violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// Only one input among all leads to a state without a way on.
var x: int = 0;

process P {
  location read, use;
  input: read -> use do x := any;
  low: use -> read when x < 17;
  high: use -> read when x > 17;
}

deadlock_free;
