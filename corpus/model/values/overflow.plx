//~ values violated
//~ bounded holds
//@ decided-by: ase, ur
// An assignment that leaves its range is an error, and is not taken.
var x: 0..4 = 0;

process P {
  step: do x := x + 2;
}

invariant bounded: x != 3;
