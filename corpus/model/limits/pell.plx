//~ no_solution holds
// x x = 2 y y has no solution but zero.
var x, y: int;

init x > 0 && y > 0;

process P {
  read: do x := any 1..=x + 1, y := any 1..=y + 1;
}

unreachable no_solution: x * x == 2 * y * y;
