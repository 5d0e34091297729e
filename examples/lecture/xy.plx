// The program of the worked examples: two counters go up together, then down together.
//
// Source    A. Gupta, Program verification 2016, lecture 5: Examples 5.3 and 5.4, Exercises 5.2,
//           5.4 and 5.5. The figures are lost; the steps are those of the path constraints.
// Expected  safe holds, since x == y at every location
model xy;

var x, y: int;

process P {
  location l0, l1, l2, error;
  rho1: l0 -> l1 do x := 0, y := 0;
  rho2: l1 -> l1 do x := x + 1, y := y + 1;
  rho3: l1 -> l2;
  rho4: l2 -> l2 do x := x - 1, y := y - 1;
  rho5: l2 -> error when x < 0 && y > 0;
}

unreachable safe: P@error;
