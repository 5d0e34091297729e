// A variable that goes up one at a time, or stays.
var x: 0..=2 = 0;

process P {
  up: when x < 2 do x := x + 1;
  stay: do x := x;
  back: when x == 2 do x := 0;
}
