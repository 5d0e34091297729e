//~ low holds
//~ lower holds
//@ decided-by: ase, ur
// A range may begin below zero.
var x: -2..=2 = 0;

process P {
  down: when x > -2 do x := x - 1;
  up: when x < 2 do x := x + 1;
}

reachable low: x == -2;
unreachable lower: x < -2 || x > 2;
