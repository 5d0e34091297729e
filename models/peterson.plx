// Peterson's mutual exclusion for two processes that take their time.
//
// A process raises its flag, gives the turn away, and waits until the other's flag is
// down or the turn is back. Inside it stays for a number of steps of its choice.
//
// Source    A. Albarghouthi, 2010, Fig. 5.2, row peterson2; G. L. Peterson, Myths about
//           the Mutual Exclusion Problem, 1981
// Status    ours: the program behind the printed row could not be recovered
// Expected  mutex holds
model peterson;

var flag: [2] bool = false;
var turn: 0..2 = 0;

process P[i in 0..2] {
  var stay: int = 0; // steps left inside; a choice below one means none
  location idle, yielding, waiting, critical;
  raise: idle -> yielding do flag[i] := true;
  yield: yielding -> waiting do turn := 1 - i;
  enter: waiting -> critical when !flag[1 - i] || turn == i do stay := any;
  work: critical -> critical when stay > 0 do stay := stay - 1;
  leave: critical -> idle when stay <= 0 do flag[i] := false;
}

invariant mutex: !(P[0]@critical && P[1]@critical);
