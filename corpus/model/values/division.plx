//~ values violated
//~ quotient holds
//@ decided-by: ase, ur
// A division by zero is an error; the step is not taken.
var x: int = 12, y: int = 3;

process P {
  divide: do x := x / y, y := y - 1;
}

invariant quotient: x == 12 || x == 4 || x == 2;
