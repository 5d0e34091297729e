// The ticket protocol of `ticket.plx` with a dispenser that is not set.
//
// The display starts at zero and the dispenser anywhere. If it starts below zero, the
// first tickets are all good at once.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, rows ticket2 (f) and ticket3 (f) (-D N=2, 3)
// Status    reconstruction: exact figures for two processes
// Expected  mutex violated
model ticket_any_broken;

const N = 2;

// The defect: nothing relates it to `s`.
var t: int;
var s: int = 0;
var a: [N] int = 0;

process P[i in 0..N] {
  location idle, waiting, critical;
  request: idle -> waiting do a[i] := t, t := t + 1;
  enter: waiting -> critical when a[i] <= s;
  leave: critical -> idle do s := s + 1;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
