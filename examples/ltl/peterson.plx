// Peterson's mutual exclusion for two processes, with finitely many states.
//
// Whoever waits gets in, without any assumption of fairness: the other one gives the
// turn away before it waits itself, and then it can do nothing but wait. That a process
// tries at all is not promised.
//
// Expected  [] !(P[0]@critical && P[1]@critical) holds
//           [] (P[0]@waiting -> <> P[0]@critical) holds
//           [] <> P[0]@critical is violated: P[0] need not try
model peterson;

var flag: [2] bool = false;
var turn: 0..2 = 0;

process P[i in 0..2] {
  location idle, yielding, waiting, critical;
  raise: idle -> yielding do flag[i] := true;
  yield: yielding -> waiting do turn := 1 - i;
  enter: waiting -> critical when !flag[1 - i] || turn == i;
  leave: critical -> idle do flag[i] := false;
}

invariant mutex: !(P[0]@critical && P[1]@critical);
