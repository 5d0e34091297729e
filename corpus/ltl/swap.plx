// Two numbers are exchanged for as long as the first one is positive.
model swap;

var n, m: int;

process P {
  location a, w, b;
  start: a -> w when m > 3;
  refuse: a -> b when m <= 3;
  swap: w -> w when n > 0 do n := m, m := n;
  out: w -> b when n <= 0;
}
