//~ odd holds
//~ six holds
//@ decided-by: ase, symba
// What the steps add says which remainders stay: x is odd, and y a multiple of three.
var x, y: int;

process P {
  location start, loop, error;
  begin: start -> loop do x := 1, y := 0;
  up: loop -> loop do x := x + 4, y := y + 3;
  down: loop -> loop do x := x - 6, y := y + 9;
  fail: loop -> error when x == 2 * y;
}

unreachable odd: P@error;
unreachable six: P@loop && x == 6;
