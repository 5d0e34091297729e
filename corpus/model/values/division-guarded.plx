//~ quotient holds
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, symba, kind
// The guard excludes a divisor of zero.
var x: int = 12, y: int;

process P {
  divide: when y > 0 do x := 12 / y;
}

invariant quotient: 0 <= x && x <= 12;
