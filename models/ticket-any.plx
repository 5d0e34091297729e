// The ticket protocol of `ticket.plx`, started at any number.
//
// Dispenser and display agree at first, but on what is not known.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, row ticket2 (t)
// Status    reconstruction: printed iterations and predicates; the number of states
//           depends on how symbolic states are compared
// Expected  mutex holds
model ticket_any;

const N = 2;

var t, s: int;
var a: [N] int = 0;

init t == s;

process P[i in 0..N] {
  location idle, waiting, critical;
  request: idle -> waiting do a[i] := t, t := t + 1;
  enter: waiting -> critical when a[i] <= s;
  leave: critical -> idle do s := s + 1;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
