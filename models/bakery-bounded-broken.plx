// The bounded bakery protocol of `bakery-bounded.plx` with numbers that wrap.
//
// Who would need a greater number than K starts again at zero. But zero means "not
// interested", so the other process does not see it any more.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row b_bakery2-e
// Status    ours: the program behind the printed row could not be recovered
// Expected  mutex violated
model bakery_bounded_broken;

const K = 3;

var x, y: int = 0;

process P1 {
  location idle, waiting, critical;
  take: idle -> waiting when y < K do x := y + 1;
  // The defect: zero already means "not interested".
  wrap: idle -> waiting when y >= K do x := 0;
  enter: waiting -> critical when y == 0 || x <= y;
  leave: critical -> idle do x := 0;
}

process P2 {
  location idle, waiting, critical;
  take: idle -> waiting when x < K do y := x + 1;
  wrap: idle -> waiting when x >= K do y := 0;
  enter: waiting -> critical when x == 0 || y < x;
  leave: critical -> idle do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
