// How long until the dispenser of the ticket protocol shows a given number?
//
// The question is a goal: it holds when a run is found that gets there.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, rows ticket3-5 to ticket3-40 (-D X=5, ..., 40)
// Status    reconstruction, exact figures with `--search plain`; the printed number of
//           predicates leaves out the one of the goal
// Expected  ticket_x holds for every X that is not negative
model ticket_x;

const N = 3;
const X = 5;

var t: int = 0;
var s: int = 0;
var a: [N] int = 0;

process P[i in 0..N] {
  location idle, waiting, critical;
  request: idle -> waiting do a[i] := t, t := t + 1;
  enter: waiting -> critical when a[i] <= s;
  leave: critical -> idle do s := s + 1;
}

reachable ticket_x: t == X;
