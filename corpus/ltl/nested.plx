// Two loops, the inner one with a new bound each time.
model nested;

var n, m: int;

process P {
  location a, w, v, b;
  start: a -> w when n >= 0;
  refuse: a -> b when n < 0;
  outer: w -> v when n > 0 do m := any, n := n - 1;
  inner: v -> v when m > 0 do m := m - 1;
  back: v -> w when m <= 0;
  out: w -> b when n <= 0;
}
