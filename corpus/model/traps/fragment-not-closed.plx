//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind, explicit
// The published safe-fragment test accepts this program, which is not safe.
// Every edge seen is exact: from each state some choice leads where the first
// one led. But other choices open up later, when `z` has grown.
var y: int = 0, z: int = 0;

process P {
  step: do y := any 0..=z, z := z + 1;
}

unreachable bad: y == 3;
