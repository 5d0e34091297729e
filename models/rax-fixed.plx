// The Remote Agent of `rax.plx` without the missed signal.
//
// A task compares and goes to sleep in one step, as if it held the lock of the event.
//
// Why there is no deadlock: suppose both sleep for good. Then no signal came after
// either fell asleep, so c1 == e1 and c2 == e2. Task 2 signals before every test, so
// e1 > 0 and task 1 has caught up at least once; after its last catch-up it signalled
// event 2, and since c2 == e2, task 2 caught up later still; and then it signalled
// event 1. That was after the last catch-up of task 1, so c1 != e1: a contradiction.
//
// Source    as `rax.plx`
// Status    ours: the defect removed
// Expected  deadlock_free holds
model rax_fixed;

var e1, e2: int = 0;
var w1, w2: bool = false;
var c1, c2: int = 0;

process Task1 {
  location start, test, asleep, awake, signal;
  reset: start -> test do c1 := 0;
  sleep: test -> asleep when c1 == e1 do w1 := true;
  wake: asleep -> awake when !w1;
  news: test -> awake when c1 != e1;
  catch_up: awake -> signal do c1 := e1;
  notify: signal -> test do e2 := e2 + 1, w2 := false;
}

process Task2 {
  location start, signal, test, asleep, awake;
  reset: start -> signal do c2 := 0;
  notify: signal -> test do e1 := e1 + 1, w1 := false;
  sleep: test -> asleep when c2 == e2 do w2 := true;
  wake: asleep -> awake when !w2;
  news: test -> awake when c2 != e2;
  catch_up: awake -> signal do c2 := e2;
}

deadlock_free;
