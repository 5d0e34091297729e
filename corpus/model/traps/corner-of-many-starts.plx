//~ bad violated
//@ decided-by: ase, ase-plain, ase-per-path, bmc, cegar, cegar-predicates, cegar-cartesian, cegar-eager, cegar-impact, cegar-invariants, pdr, kind
// Among all initial states one leads to the error, after some steps.
var x, y: int;

process P {
  location run, error;
  meet: run -> run when x < y do x := x + 1;
  wrong: run -> error when x == y && x == 1000001;
}

unreachable bad: P@error;
