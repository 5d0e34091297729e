// A counter that starts anywhere and runs out.
model down;

var n: int;

process P {
  location a, w, b;
  start: a -> w do n := any;
  dec: w -> w when n > 0 do n := n - 1;
  out: w -> b when n <= 0;
}
