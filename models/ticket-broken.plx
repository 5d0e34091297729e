// The ticket protocol of `ticket.plx` with a display that jumps.
//
// A process that leaves moves the display on by two, so two waiting processes see
// their numbers at once.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row ticket2-e
// Status    reconstruction: the printed defect is not published; this one gives the
//           printed figures of `ur`, and nearly those of `ase`
// Expected  mutex violated
model ticket_broken;

const N = 2;

var t: int = 0;
var s: int = 0;
var a: [N] int = 0;

process P[i in 0..N] {
  location idle, waiting, critical;
  request: idle -> waiting do a[i] := t, t := t + 1;
  enter: waiting -> critical when a[i] <= s;
  // The defect: two where there should be one.
  leave: critical -> idle do s := s + 2;
}

invariant mutex: forall i in 0..N, j in 0..N: i != j => !(P[i]@critical && P[j]@critical);
