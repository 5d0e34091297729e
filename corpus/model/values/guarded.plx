//~ top holds
//@ decided-by: ase, ur
// The guard excludes the error, so nothing is asked about values.
var x: 0..4 = 0;

process P {
  step: when x < 3 do x := x + 1;
}

reachable top: x == 3;
