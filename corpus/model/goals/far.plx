//~ far holds
//@ decided-by: ase, ur
// A goal at the end of a long run.
var x: int = 0;

process P {
  step: do x := x + 1;
}

reachable far: x == 60;
