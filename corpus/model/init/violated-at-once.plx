//~ small violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The first state can be the bad one, and only one of many.
var x: int;

process P {
  step: when x < 0 do x := 0;
}

invariant small: x != 123456789;
