//~ nothing holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, pdr, kind
// There are real solutions, but no integer ones.
var x: int;

init 2 * x == 7;

process P {
  step: do x := x + 1;
}

invariant nothing: false;
