//~ nothing holds
//@ decided-by: ase
// There are real solutions, but no integer ones.
var x: int;

init 2 * x == 7;

process P {
  step: do x := x + 1;
}

invariant nothing: false;
