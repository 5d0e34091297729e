// Each thread works on its own cell, then adds to a counter under a mutex. The order in
// which they do their own work does not matter.
//~ counted holds
//~ alone holds
//~ deadlock_free holds
//@ decided-by: explicit
const N = 2, WORK = 4;

var locked: bool = false, counter: 0..=N = 0;
var cell: [N] 0..=WORK = 0;

process Thread[i in 0..N] {
  var seen: 0..=N = 0;
  location working, entering, reading, writing, leaving, final done;
  work: working -> working when cell[i] < WORK do cell[i] := cell[i] + 1;
  stop: working -> entering when cell[i] == WORK;
  lock: entering -> reading when !locked do locked := true;
  read: reading -> writing do seen := counter;
  write: writing -> leaving when seen < N do counter := seen + 1;
  unlock: leaving -> done do locked := false;
}

invariant counted: (forall i in 0..N: Thread[i]@done) => counter == N;
invariant alone: forall i in 0..N, j in 0..N: i != j => !(Thread[i]@writing && Thread[j]@writing);
deadlock_free;
