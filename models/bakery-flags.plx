// The bakery protocol for two processes, with choosing flags.
//
// Reading the other's number and writing one's own are two steps. While a process is
// between them its flag is up, and the other waits at the door for it to come down.
//
// Source    L. Lamport, A New Solution of Dijkstra's Concurrent Programming Problem, 1974
// Status    ours
// Expected  mutex holds
model bakery_flags;

var x, y: int = 0;
var choosing1, choosing2: bool = false;

process P1 {
  var seen: int = 0;
  location idle, looking, taking, door, waiting, critical;
  raise: idle -> looking do choosing1 := true;
  look: looking -> taking do seen := y;
  take: taking -> door do x := seen + 1, choosing1 := false;
  pass: door -> waiting when !choosing2;
  enter: waiting -> critical when y == 0 || x <= y;
  leave: critical -> idle do x := 0;
}

process P2 {
  var seen: int = 0;
  location idle, looking, taking, door, waiting, critical;
  raise: idle -> looking do choosing2 := true;
  look: looking -> taking do seen := x;
  take: taking -> door do y := seen + 1, choosing2 := false;
  pass: door -> waiting when !choosing1;
  enter: waiting -> critical when x == 0 || y < x;
  leave: critical -> idle do y := 0;
}

invariant mutex: !(P1@critical && P2@critical);
