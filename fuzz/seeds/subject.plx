model subject;
var x: int = 0;
var b: bool = false;
var a: [2] 0..3 = 0;
process P {
  location idle, busy;
  start: idle -> busy when x < 3 do x := x + 1, b := true;
  stop: busy -> idle do a[0] := any 0..2, b := false;
}
invariant low: x <= 3;
reachable top: x == 3;
