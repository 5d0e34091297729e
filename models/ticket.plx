// The ticket protocol for N processes.
//
// A process draws the next ticket from a dispenser and waits until the display shows
// its number. Ticket numbers grow without bound.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, rows ticket2, ticket3, ticket4 (-D N=2, 3, 4);
//           the protocol goes back to Lamport
// Status    reconstruction, exact figures with `--search plain`, except that ours needs
//           22 predicates for four processes where 23 are printed
// Expected  mutex holds
model ticket;

const N = 2;

var t: int = 0; // the next ticket
var s: int = 0; // the ticket on display
var a: [N] int = 0; // the ticket in each process's hand

process P[i in 0..N] {
  location idle, waiting, critical;
  request: idle -> waiting do a[i] := t, t := t + 1;
  enter: waiting -> critical when a[i] <= s;
  leave: critical -> idle do s := s + 1;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
