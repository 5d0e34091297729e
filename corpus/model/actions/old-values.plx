//~ swapped holds
//~ same violated
//@ decided-by: ase, ur
// All parts of a joint step read the state before it.
action swap;

var x: int = 1, y: int = 2;

process P {
  [swap] do x := y;
}

process Q {
  [swap] do y := x;
}

reachable swapped: x == 2 && y == 1;
reachable same: x == y;
