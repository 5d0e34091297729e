// The bakery protocol of `bakery.plx` with a door that two can pass at once.
//
// Reading the other's number and writing one's own are two steps, and nothing tells
// the other that a number is being chosen. Both may see zero and take the same
// number; process 2, writing first, still finds process 1 without one.
//
// Source    L. Lamport, 1974, where the choosing flags exist to exclude this
// Status    ours
// Expected  mutex violated
model bakery_broken;

var x, y: int = 0;

process P1 {
  var seen: int = 0;
  location idle, choosing, waiting, critical;
  look: idle -> choosing do seen := y;
  take: choosing -> waiting do x := seen + 1;
  enter: waiting -> critical when y == 0 || x <= y;
  leave: critical -> idle do x := 0;
}

process P2 {
  var seen: int = 0;
  location idle, choosing, waiting, critical;
  look: idle -> choosing do seen := x;
  take: choosing -> waiting do y := seen + 1;
  enter: waiting -> critical when x == 0 || y < x;
  leave: critical -> idle do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
