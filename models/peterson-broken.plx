// Peterson's mutual exclusion of `peterson.plx` with two steps exchanged.
//
// A process gives the turn away before it raises its flag. The other can do both and
// enter in between, and then finds the turn given to the first.
//
// Source    as `peterson.plx`
// Status    ours: a defect added
// Expected  mutex violated
model peterson_broken;

var flag: [2] bool = false;
var turn: 0..2 = 0;

process P[i in 0..2] {
  var stay: int = 0;
  location idle, raising, waiting, critical;
  // The defect: this comes too early.
  yield: idle -> raising do turn := 1 - i;
  raise: raising -> waiting do flag[i] := true;
  enter: waiting -> critical when !flag[1 - i] || turn == i do stay := any;
  work: critical -> critical when stay > 0 do stay := stay - 1;
  leave: critical -> idle when stay <= 0 do flag[i] := false;
}

invariant mutex: !(P[0]@critical && P[1]@critical);
