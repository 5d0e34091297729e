//~ bad violated
//@ decided-by: ase, ur
// A guard that is no linear atom must not be forgotten.
var x: int = 0;

process P {
  location run, error;
  step: run -> run do x := x + 1;
  wrong: run -> error when x * x == 49;
}

unreachable bad: P@error;
