// Example 5.1: a counter that starts positive never becomes negative.
//
// Source    A. Gupta, Program verification 2016, lecture 5, Example 5.1. The figure is lost; the
//           steps are those of the printed abstract relations.
// Expected  safe holds with the predicates of the sign domain: x < 0, x == 0, x > 0
model sign;

var x: int;

process P {
  location l0, l1, error;
  rho1: l0 -> l1 do x := 1;
  rho2: l1 -> l1 do x := x + 1;
  rho3: l1 -> error when x < 0;
}

unreachable safe: P@error;
