//~ deadlock_free violated
//@ decided-by: ase
// The two guards leave out one value.
var x: int;

process P {
  down: when x > 4 do x := x - 3;
  up: when x < 4 do x := x + 5;
}

deadlock_free;
