//~ floor violated
//@ decided-by: ase, ur
// An integer has no least value.
var x: int = 3;

process P {
  down: do x := x - 2;
}

invariant floor: x > -10;
