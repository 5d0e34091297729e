//~ far holds
//@ decided-by: ase, ur, bmc, explicit
// A goal at the end of a long run.
var x: int = 0;

process P {
  step: do x := x + 1;
}

reachable far: x == 60;
