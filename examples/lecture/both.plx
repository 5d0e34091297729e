// For Exercise 5.6, whose program is lost with its figure: a similar loop. One of two counters
// goes up in each round.
//
// Source    A. Gupta, Program verification 2016, lecture 5, Exercise 5.6
// Expected  safe holds with the predicates x >= 0, y >= 0, x + y <= n and n <= x + y
model both;

var x, y, n: int;

process P {
  location l0, l1, error;
  start: l0 -> l1 do x := 0, y := 0, n := 0;
  left: l1 -> l1 do x := x + 1, n := n + 1;
  right: l1 -> l1 do y := y + 1, n := n + 1;
  fail: l1 -> error when x > n;
}

unreachable safe: P@error;
