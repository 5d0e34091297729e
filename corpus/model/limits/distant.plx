//~ far violated
//@ decided-by: ase, bmc, explicit
// A violation ten thousand steps away.
var x: int = 0;

process P {
  step: do x := x + 1;
}

unreachable far: x == 10000;
