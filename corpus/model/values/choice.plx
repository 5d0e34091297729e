//~ values violated
//~ small holds
//@ decided-by: ase, ur
// A choice among values that do not all fit.
var x: 0..4 = 0;
var n: 0..=4 = 4;

process P {
  pick: when x == 0 do x := any 0..=n;
}

unreachable small: x == 4;
