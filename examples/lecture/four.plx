// Exercise 5.7: four counters.
//
// The branch `flip` is dead, which needs z == 10 * w, w >= 0 and x <= y <= 100 * x together.
//
// Source    A. Gupta, Program verification 2016, lecture 5, Exercise 5.7
// Expected  safe holds
model four;

var x, y, z, w: int;

process P {
  location start, loop, error;
  begin: start -> loop do x := 0, y := 0, z := 0, w := 0;
  hundred: loop -> loop do x := x + 1, y := y + 100, w := w + 1, z := z + 10;
  one: loop -> loop when x >= 4 do x := x + 1, y := y + 1, w := w + 1, z := z + 10;
  flip: loop -> loop when y > 10 * w && z >= 100 * x do y := -y, w := w + 1, z := z + 10;
  skip: loop -> loop do w := w + 1, z := z + 10;
  fail: loop -> error when x >= 4 && y <= 2;
}

unreachable safe: P@error;
