// One step whose two outcomes are missed by weak reachability.
//
// From `x > 0` the step leads to `x > 0` or to `x <= 0`. Neither abstract edge is a must
// edge in either direction, so weak reachability finds none of them; symbolic execution
// finds both.
//
// Source    A. Albarghouthi, 2010, section 4.3
// Status    exact: the program is printed in the source
// Expected  some_left holds, none_left holds (both are reached), no_debt holds
model weak_reach;

var x: int;

init x > 0;

process P {
  location one, final two;
  step: one -> two when x > 0 do x := x - 1;
}

reachable some_left: P@two && x > 0;
reachable none_left: P@two && x <= 0;
invariant no_debt: x >= 0;
