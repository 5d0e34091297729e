// No initial state, so no run: every formula holds.
var x: 0..4;

init x > 2 && x < 2;

process P {
  up: when x < 3 do x := x + 1;
}
