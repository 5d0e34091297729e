// The Remote Agent: two tasks that signal each other, and may miss a signal.
//
// Each task keeps a copy `c` of the counter of the event it waits for. If the counter
// has moved since, there was a signal and the task goes on; otherwise it goes to sleep
// (flag `w`) until the next signal. A signal adds one to the counter and wakes the sleeper.
// The copy is compared and the flag is raised in two steps: a signal that comes in
// between is missed. That is how the software of the Deep Space 1 spacecraft
// once came to a halt in flight.
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, row RAX; C. Pasareanu, R. Pelanek,
//           W. Visser, Predicate abstraction with under-approximation refinement, 2007
// Status    reconstruction, exact figures with `--search plain --property anything`.
//           The source calls this row "deadlock-free"; the model that gives its
//           figures is not. The row is what comes out when nothing is asked.
// Expected  anything holds, deadlock_free violated; `ur` does not end on `anything`
model rax;

var e1, e2: int = 0; // how often each event was signalled
var w1, w2: bool = false; // task 1 sleeps on event 1, task 2 on event 2
var c1, c2: int = 0; // the counters as last seen

process Task1 {
  location start, test, sleepy, asleep, awake, signal;
  reset: start -> test do c1 := 0;
  no_news: test -> sleepy when c1 == e1;
  sleep: sleepy -> asleep do w1 := true;
  wake: asleep -> awake when !w1;
  news: test -> awake when c1 != e1;
  catch_up: awake -> signal do c1 := e1;
  notify: signal -> test do e2 := e2 + 1, w2 := false;
}

process Task2 {
  location start, signal, test, sleepy, asleep, awake;
  reset: start -> signal do c2 := 0;
  notify: signal -> test do e1 := e1 + 1, w1 := false;
  no_news: test -> sleepy when c2 == e2;
  sleep: sleepy -> asleep do w2 := true;
  wake: asleep -> awake when !w2;
  news: test -> awake when c2 != e2;
  catch_up: awake -> signal do c2 := e2;
}

invariant anything: true;
deadlock_free;
