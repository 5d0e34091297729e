//~ deadlock_free violated
//@ decided-by: ase, ur
// Stuck when a counter has run out.
var x: int = 3;

process P {
  step: when x > 0 do x := x - 1;
}

deadlock_free;
