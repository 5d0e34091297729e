//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// The error needs the second input to repeat the first.
var x, y: int = 0;

process P {
  location one, two, three, error;
  first: one -> two do x := any;
  second: two -> three do y := any;
  wrong: three -> error when y == 3 * x + 1 && x > 1000;
  again: three -> one when !(y == 3 * x + 1 && x > 1000);
}

unreachable bad: P@error;
