// Can task 1 of the Remote Agent see a given number of signals?
//
// Source    A. Albarghouthi, 2010, Fig. 5.1, rows RAX-5 to RAX-45 (-D X=5, ..., 45)
// Status    reconstruction, exact figures with `--search plain` up to a constant in the
//           number of predicates; row RAX-40 has a misprint (330/329 states, not 320/319)
// Expected  seen_x holds for every X that is not negative
model rax_x;

const X = 5;

var e1, e2: int = 0;
var w1, w2: bool = false;
var c1, c2: int = 0;

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

reachable seen_x: c1 == X;
