// The plane of rational numbers: only its variables matter.
//
// Source    A. Gupta, Program verification 2016, lecture 5, Example 5.2
// Expected  anywhere is reached
model plane;

var x, y: real;

process P {
  move: do x := any, y := any;
}

reachable anywhere: x == 0.5 && y == 2.5;
