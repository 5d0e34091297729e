//~ bad holds
//~ swapped holds
//@ decided-by: ase, ur
// A simultaneous update read as a sequence would reach the error.
var x: int = 1, y: int = 2;

process P {
  swap: do x := y, y := x;
}

unreachable bad: x == y;
reachable swapped: x == 2 && y == 1;
