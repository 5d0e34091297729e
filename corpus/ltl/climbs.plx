// Runs that never repeat a state: what grows on the way does not matter for the steps
// that are taken.
model climbs;

var x: int = 0, y: int;

process P {
  location a, b;
  go: a -> a when y != 0 do x := x + 1, y := any;
  out: a -> b when y == 0;
  stay: b -> b do x := x + 2;
}
