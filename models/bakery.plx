// The bakery protocol for two processes, with an indivisible doorway.
//
// A process takes a number greater than the other's and enters when the other has none
// or a greater one. Zero means "not interested". Numbers grow without bound.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row bakery2; L. Lamport, A New Solution of
//           Dijkstra's Concurrent Programming Problem, 1974
// Status    ours: the program behind the printed row could not be recovered
// Expected  mutex holds
model bakery;

var x: int = 0; // the number of process 1
var y: int = 0; // the number of process 2

process P1 {
  location idle, waiting, critical;
  take: idle -> waiting do x := y + 1;
  enter: waiting -> critical when y == 0 || x <= y;
  leave: critical -> idle do x := 0;
}

process P2 {
  location idle, waiting, critical;
  take: idle -> waiting do y := x + 1;
  enter: waiting -> critical when x == 0 || y < x;
  leave: critical -> idle do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
