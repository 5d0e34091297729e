// The bakery protocol of `bakery.plx` with numbers up to K.
//
// Who would need a greater number than K waits until the other has left.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row b_bakery2-e, has the defective version
// Status    ours
// Expected  mutex holds, bounded holds
model bakery_bounded;

const K = 3;

var x, y: int = 0;

process P1 {
  location idle, waiting, critical;
  take: idle -> waiting when y < K do x := y + 1;
  enter: waiting -> critical when y == 0 || x <= y;
  leave: critical -> idle do x := 0;
}

process P2 {
  location idle, waiting, critical;
  take: idle -> waiting when x < K do y := x + 1;
  enter: waiting -> critical when x == 0 || y < x;
  leave: critical -> idle do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
invariant bounded: x <= K && y <= K;
